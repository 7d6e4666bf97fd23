/** Tells equal JSON values from others in about linear time: each is looked at once, what holds others by the ids of these. */
export class Likeness {
  readonly #scalars = new Map<unknown, number>();
  readonly #told = new Map<string, number>();
  readonly #holders = new Map<object, { id: number; length: number }>();

  /** A number that equal values share. */
  idOf(value: unknown): number {
    return isHolder(value) ? this.#look(value).id : this.#number(this.#scalars, value);
  }

  /** About how many characters of JSON it has. */
  lengthOf(value: unknown): number {
    if (isHolder(value)) return this.#look(value).length;
    return typeof value === 'string' ? value.length + 2 : String(value).length;
  }

  #look(holder: object) {
    const found = this.#holders.get(holder);
    if (found) return found;
    const looked = Array.isArray(holder) ? this.#lookAtItems(holder) : this.#lookAtFields(holder as Record<string, unknown>);
    this.#holders.set(holder, looked);
    return looked;
  }

  #lookAtItems(items: unknown[]) {
    const told = items.map((item) => this.idOf(item)).join();
    return { id: this.#number(this.#told, `[${told}`), length: items.reduce<number>((sum, item) => sum + this.lengthOf(item) + 1, 2) };
  }

  #lookAtFields(object: Record<string, unknown>) {
    const keys = Object.keys(object);
    const told = keys.map((key) => [this.idOf(key), this.idOf(object[key])] as const).sort(([one], [other]) => one - other);
    const length = keys.reduce((sum, key) => sum + key.length + this.lengthOf(object[key]) + 4, 2);
    return { id: this.#number(this.#told, `{${told.join()}`), length };
  }

  #number<Key>(numbers: Map<Key, number>, key: Key): number {
    const found = numbers.get(key);
    if (found !== undefined) return found;
    const id = this.#scalars.size + this.#told.size;
    numbers.set(key, id);
    return id;
  }
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;
