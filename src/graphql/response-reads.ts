import type { Prisma } from '../db/database.ts';
import type { Person } from '../db/generated/client.ts';

/** What one response reads once, however many of its fields ask for it. */
export class ResponseReads {
  readonly #prisma: Prisma;
  readonly #enterpriseId: string;
  readonly #batches = new Map<string, Batch<unknown>>();
  #ceo: Promise<Person> | undefined;

  constructor(prisma: Prisma, enterpriseId: string) {
    this.#prisma = prisma;
    this.#enterpriseId = enterpriseId;
  }

  /** The person who decides the gates. */
  ceo(): Promise<Person> {
    this.#ceo ??= this.#prisma.person.findFirstOrThrow({ where: { enterpriseId: this.#enterpriseId, isCeo: true } });
    return this.#ceo;
  }

  /** Loads by id what many rows of a list ask for: all that ask under one name in one tick are loaded by one call of `load`. */
  together<T>(name: string, id: string, load: (ids: string[]) => Promise<Map<string, T>>): Promise<T | undefined> {
    const open = this.#batches.get(name) as Batch<T> | undefined;
    if (open) return open.add(id);
    const batch = new Batch(load, () => this.#batches.delete(name));
    this.#batches.set(name, batch as Batch<unknown>);
    return batch.add(id);
  }
}

class Batch<T> {
  readonly #ids = new Set<string>();
  readonly #loaded: Promise<Map<string, T>>;

  constructor(load: (ids: string[]) => Promise<Map<string, T>>, close: () => void) {
    this.#loaded = new Promise((resolve) => setImmediate(resolve)).then(() => {
      close();
      return load([...this.#ids]);
    });
  }

  async add(id: string): Promise<T | undefined> {
    this.#ids.add(id);
    return (await this.#loaded).get(id);
  }
}
