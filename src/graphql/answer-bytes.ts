import type { GraphQLError } from 'graphql';
import type { Prisma } from '../db/database.ts';
import { getDatamodel } from '../db/pothos-types.ts';
import { LIMITS, tooComplex } from './limits.ts';

/** By model: the columns that may be long, and the column in which the database keeps how many bytes they have. */
const SIZED: Record<string, Record<string, string>> = {
  AuditEntry: { details: 'detailsBytes' },
  Escalation: { note: 'noteBytes' },
  Gate: { payload: 'payloadBytes', summary: 'textBytes', note: 'textBytes', answers: 'textBytes' },
  GateVersion: { payload: 'payloadBytes' },
  Run: { input: 'inputBytes', output: 'outputBytes', reason: 'textBytes', gateSummary: 'textBytes', moveNote: 'textBytes' },
  TaskVersion: Object.fromEntries(
    ['goal', 'metric', 'guardrails', 'tools', 'gates', 'successors', 'contextPrefixes', 'inputFields', 'memoryGrants'].map((column) => [
      column,
      'bytes',
    ]),
  ),
  ToolCall: {
    ...{ arguments: 'argumentsBytes', result: 'resultBytes', editedByHuman: 'editBytes' },
    ...{ errorMessage: 'errorBytes', errorDetails: 'errorBytes' },
  },
};

/** The names of all those columns: as fields they are named alike, save for a call's `error`. */
export const LONG_FIELDS = new Set([...Object.values(SIZED).flatMap((columns) => Object.keys(columns)), 'error']);

type Select = Record<string, unknown>;

interface Relation {
  model: string;
  isList: boolean;
}

const RELATIONS = relations();

function relations(): Map<string, Map<string, Relation>> {
  const { models } = (getDatamodel() as unknown as { datamodel: { models: Record<string, { fields: Field[] }> } }).datamodel;
  const related = ({ fields }: { fields: Field[] }) =>
    new Map(fields.filter(({ kind }) => kind === 'object').map(({ name, type, isList }) => [name, { model: type, isList }]));
  return new Map(Object.entries(models).map(([name, model]) => [name, related(model)]));
}

interface Field {
  name: string;
  type: string;
  kind: string;
  isList: boolean;
}

/** What a read selects of sizes, and whether any of them stands in a list. */
interface Sizes {
  select: Select;
  inList: boolean;
}

/** The selection with sizes in place of what they measure (`beside`: beside it); undefined where nothing is measured. */
function sizesOf(model: string, select: Select, beside = false): Sizes | undefined {
  const sizes: Select = beside ? { ...select } : {};
  let [found, inList] = [false, false];
  for (const [name, wanted] of Object.entries(select)) {
    const relation = RELATIONS.get(model)?.get(name);
    const inner = relation && nestedSizes(relation.model, wanted, beside);
    if (inner) {
      sizes[name] = { ...(wanted as object), select: inner.select };
      inList ||= relation.isList || inner.inList;
    }
    const size = wanted === true ? SIZED[model]?.[name] : undefined;
    if (size) sizes[size] = true;
    found ||= Boolean(inner || size);
  }
  return found ? { select: sizes, inList } : undefined;
}

const nestedSizes = (model: string, wanted: unknown, beside: boolean) =>
  isSelection(wanted) ? sizesOf(model, wanted.select, beside) : undefined;

const isSelection = (wanted: unknown): wanted is { select: Select } =>
  typeof wanted === 'object' && wanted !== null && typeof (wanted as { select?: unknown }).select === 'object';

type Row = Record<string, unknown>;

/** The bytes of one response: those that were read for it, and what it reads with. */
export class AnswerBytes {
  /** Reads as Prisma does. What would make the answer larger than it may be is refused before it is read. */
  readonly prisma: Prisma;
  /** How often the answer may repeat what was read once. */
  copies = 1;
  #bytes = 0;

  constructor(prisma: Prisma) {
    this.prisma = measuring(prisma, (model, args, inList, read) => this.#read(model, args, inList, read));
  }

  /** The next response of the same stream begins. */
  restart() {
    this.#bytes = 0;
  }

  /** Counts what a tool answered. @throws {GraphQLError} query_too_complex */
  add(tool: string, answer: unknown) {
    this.#bytes += JSON.stringify(answer)?.length ?? 0;
    if (this.#bytes > LIMITS.bytes) throw tooComplex('bytes', this.#bytes, ` Ask for the answer of ${tool} alone, or by a connection.`);
  }

  /** One row is measured as it is read; a list, which nothing else bounds, before. */
  async #read(model: string, args: ReadArgs, isList: boolean, read: (args: ReadArgs) => Promise<unknown>) {
    const { select, inList } = sizesOf(model, args.select!)!;
    if (isList || inList) {
      this.#take(model, select, await read({ ...args, select }));
      return read(args);
    }
    const row = await read({ ...args, select: sizesOf(model, args.select!, true)!.select });
    this.#take(model, select, row);
    return row;
  }

  #take(model: string, select: Select, rows: unknown) {
    const sums = new Map<string, number>();
    addUp(model, select, rows, sums);
    for (const bytes of sums.values()) this.#bytes += bytes * this.copies;
    if (this.#bytes > LIMITS.bytes) throw tooLong(this.#bytes, sums);
  }
}

function addUp(model: string, select: Select, rows: unknown, sums: Map<string, number>) {
  for (const row of (Array.isArray(rows) ? rows : [rows]) as (Row | null)[]) {
    if (!row) continue;
    for (const [name, wanted] of Object.entries(select)) {
      const relation = RELATIONS.get(model)?.get(name);
      if (relation) addUp(relation.model, (wanted as { select: Select }).select, row[name], sums);
      else sums.set(`${model}.${name}`, (sums.get(`${model}.${name}`) ?? 0) + Number(row[name] ?? 0));
    }
  }
}

function tooLong(found: number, sums: Map<string, number>): GraphQLError {
  const [largest] = [...sums].sort(([, one], [, other]) => other - one)[0]!;
  const [model, size] = largest.split('.') as [string, string];
  const fields = Object.entries(SIZED[model]!).flatMap(([name, column]) => (column === size ? [`\`${name}\``] : []));
  return tooComplex('bytes', found, ` Ask for fewer at once (a smaller \`first\`), or without ${fields.join(', ')} of ${model}.`);
}

interface ReadArgs {
  select?: Select;
}

type Measured = (model: string, args: ReadArgs, isList: boolean, read: (args: ReadArgs) => Promise<unknown>) => Promise<unknown>;

const READS = new Set(['findMany', 'findFirst', 'findFirstOrThrow', 'findUnique', 'findUniqueOrThrow']);

/** Prisma's client, whose reads of what may be long go through `read`. */
function measuring(prisma: Prisma, read: Measured): Prisma {
  return proxied(prisma, (name, delegate) => {
    const model = name[0]!.toUpperCase() + name.slice(1);
    if (!RELATIONS.has(model)) return delegate;
    return proxied(delegate as object, (operation, method) => {
      if (!READS.has(operation)) return method;
      const plain = (args: ReadArgs) => (method as (args: ReadArgs) => Promise<unknown>).call(delegate, args);
      return (args: ReadArgs) =>
        args.select && sizesOf(model, args.select) ? read(model, args, operation === 'findMany', plain) : plain(args);
    });
  });
}

const proxied = <T extends object>(target: T, map: (name: string, value: unknown) => unknown): T =>
  new Proxy(target, {
    get: (of, name) => (typeof name === 'string' ? map(name, Reflect.get(of, name)) : Reflect.get(of, name)),
  });
