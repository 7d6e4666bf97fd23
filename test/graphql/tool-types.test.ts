import { printType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSchema } from '../../src/graphql/schema.ts';
import { withoutNulls } from '../../src/graphql/tool-values.ts';
import type { Tool } from '../../src/kernel/define.ts';
import type { JsonSchema } from '../../src/kernel/json-schema.ts';
import { Registry } from '../../src/kernel/registry.ts';
import { fixture } from '../fixtures/tools.ts';

const ok = z.strictObject({ ok: z.boolean() });

const tool = (told: Partial<Tool>) =>
  fixture({ name: 'os.try', input: z.strictObject({}), output: ok, handler: async () => ({ ok: true }), ...told } as never);

const registryOf = (...tools: Tool[]) => new Registry([{ title: 'Try', page: 'Try', intro: '', tools }]);

/** The types of one tool as they are printed, without descriptions. */
function printed(told: Partial<Tool>, ...names: string[]) {
  const schema = createSchema(registryOf(tool(told)));
  const text = (name: string) => {
    const type = schema.getType(name);
    return type
      ? printType(type)
          .replaceAll(/ *"""[\s\S]*?"""\n/g, '')
          .replaceAll(/\n\n/g, '\n')
      : `no ${name}`;
  };
  return names.map(text).join('\n');
}

/** The signature of the field of the tool `os.try`. */
function signature(told: Partial<Tool>) {
  const schema = createSchema(registryOf(tool(told)));
  const field = schema.getQueryType()!.getFields().osTry ?? schema.getMutationType()!.getFields().osTry;
  return field && `(${field.args.map(({ name, type }) => `${name}: ${type}`).join(', ')}): ${field.type}`;
}

describe('the field of a tool', () => {
  it('is a query with its arguments spread where the tool reads', () => {
    const input = z.strictObject({ key: z.string(), most: z.int32().optional() });
    expect(signature({ input })).toBe('(key: String!, most: Int, toolCallId: String): OsTryResult!');
  });

  it('is a mutation with one input where the tool writes', () => {
    const input = z.strictObject({ key: z.string(), value: z.unknown() });
    const told = { effect: 'write' as const, input };
    expect(signature(told)).toBe('(input: OsTryInput!, toolCallId: String): OsTryResult!');
    expect(printed(told, 'OsTryInput')).toBe('input OsTryInput {\n  key: String!\n  value: JSON\n}');
  });

  it('has no arguments of its own where the tool takes none', () => {
    expect(signature({ arguments: 'none' })).toBe('(toolCallId: String): OsTryResult!');
    expect(signature({ arguments: 'none', effect: 'write' })).toBe('(toolCallId: String): OsTryResult!');
  });

  it('has only the named properties where the tool takes any object', () => {
    const input = z.looseObject({ team: z.string().optional() });
    expect(signature({ arguments: 'any', input })).toBe('(team: String, toolCallId: String): OsTryResult!');
  });

  it('answers an array of its result type where the root is an array', () => {
    expect(signature({ output: z.array(ok) as never })).toBe('(toolCallId: String): [OsTryResult!]!');
  });

  it('is nullable where the root is, in both shapes of nullable', () => {
    expect(signature({ output: ok.nullable() as never })).toBe('(toolCallId: String): OsTryResult');
    expect(signature({ output: z.string().nullable() as never })).toBe('(toolCallId: String): String');
  });

  it('is not there for a tool that only the service itself calls, nor for one without a fixed name', () => {
    expect(signature({ calledBy: ['os'] })).toBeUndefined();
    const schema = createSchema(registryOf(tool({ name: '<prefix>.click' })));
    expect(Object.keys(schema.getQueryType()!.getFields()).filter((name) => /click/i.test(name))).toEqual([]);
  });

  it('must not take the name of another field', () => {
    expect(() => createSchema(registryOf(tool({ name: 'open.gates' })))).toThrow('Query.openGates would be there twice');
  });
});

describe('types of a schema', () => {
  it('carries both JSON Schema shapes of nullable', () => {
    const output = z.strictObject({
      text: z.string().nullable(),
      object: z.strictObject({ a: z.string() }).nullable(),
      list: z.array(z.string().nullable()).nullable(),
      either: z.enum(['a', 'b']).nullable(),
    });
    expect(printed({ output } as never, 'OsTryResult')).toBe(
      'type OsTryResult {\n  text: String\n  object: OsTryResultObject\n  list: [String]\n  either: OsTryResultEither\n}',
    );
  });

  it('reads a list of types as nullable too', () => {
    const schema = { type: 'object', required: ['at'], properties: { at: { type: ['integer', 'null'] } } } as unknown as JsonSchema;
    expect(withoutNulls(schema, { at: null })).toEqual({ at: null });
  });

  it('makes what may be left out nullable', () => {
    const output = z.strictObject({ always: z.string(), sometimes: z.string().optional() });
    expect(printed({ output } as never, 'OsTryResult')).toBe('type OsTryResult {\n  always: String!\n  sometimes: String\n}');
  });

  it('takes SafeInt for integers that can exceed 32 bits, and Int for others', () => {
    const output = z.strictObject({
      any: z.int(),
      small: z.int32(),
      page: z.int().min(1).max(200),
      open: z.int().min(0),
      real: z.number(),
    });
    expect(printed({ output } as never, 'OsTryResult')).toBe(
      'type OsTryResult {\n  any: SafeInt!\n  small: Int!\n  page: Int!\n  open: SafeInt!\n  real: Float!\n}',
    );
  });

  it('names enums in CAPS, with the tool’s own values behind them', () => {
    const output = z.strictObject({ lane: z.enum(['os', 'repo-commands', 'local_stack']) });
    const schema = createSchema(registryOf(tool({ output } as never)));
    const type = schema.getType('OsTryResultLane') as unknown as { getValues(): { name: string; value: string }[] };
    expect(type.getValues().map(({ name, value }) => [name, value])).toEqual([
      ['OS', 'os'],
      ['REPO_COMMANDS', 'repo-commands'],
      ['LOCAL_STACK', 'local_stack'],
    ]);
  });

  it('leaves texts whose values make no names of their own as texts', () => {
    const output = z.strictObject({ same: z.enum(['a-b', 'a_b']), digits: z.enum(['1', '2']), empty: z.enum(['', 'x']) });
    expect(printed({ output } as never, 'OsTryResult')).toBe('type OsTryResult {\n  same: String!\n  digits: String!\n  empty: String!\n}');
  });

  it('takes JSON, nullable, for unions, free objects and anything', () => {
    const output = z.strictObject({
      union: z.union([z.string(), z.number()]),
      choice: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a') }),
        z.strictObject({ kind: z.literal('b'), n: z.number() }),
      ]),
      record: z.record(z.string(), z.string()),
      loose: z.looseObject({ a: z.string() }),
      anything: z.unknown(),
      empty: z.strictObject({}),
      odd: z.strictObject({ 'not-a-name': z.string() }),
      tuple: z.tuple([z.string(), z.number()]),
    });
    expect(printed({ output } as never, 'OsTryResult')).toBe(
      'type OsTryResult {\n  union: JSON\n  choice: JSON\n  record: JSON\n  loose: JSON\n  anything: JSON\n  empty: JSON\n  odd: JSON\n  tuple: JSON\n}',
    );
  });

  it('names nested types for their place, and refuses two of one name', () => {
    const nested = z.strictObject({ teams: z.array(z.strictObject({ lead: z.strictObject({ name: z.string() }) })) });
    expect(printed({ output: nested } as never, 'OsTryResult', 'OsTryResultTeams', 'OsTryResultTeamsLead')).toBe(
      [
        'type OsTryResult {\n  teams: [OsTryResultTeams!]!\n}',
        'type OsTryResultTeams {\n  lead: OsTryResultTeamsLead!\n}',
        'type OsTryResultTeamsLead {\n  name: String!\n}',
      ].join('\n'),
    );
    const a = z.strictObject({ b: z.string() });
    const twice = z.strictObject({ a_b: a, aB: a });
    expect(() => createSchema(registryOf(tool({ output: twice } as never)))).toThrow('Two types would be named OsTryResultAB');
  });

  it('shares no types between tools, whatever their schemas share', () => {
    const shared = z.strictObject({ id: z.string() }).meta({ id: 'Shared' });
    const output = z.strictObject({ first: shared, second: shared });
    expect(printed({ output } as never, 'OsTryResult', 'OsTryResultFirst')).toBe(
      'type OsTryResult {\n  first: OsTryResultFirst!\n  second: OsTryResultSecond!\n}\ntype OsTryResultFirst {\n  id: String!\n}',
    );
  });
});

describe('values from GraphQL to a tool', () => {
  const schemaOf = (input: z.ZodType) => registryOf(tool({ input } as never)).builtIn[0]!.inputSchema;

  it('leave out an optional field that is null', () => {
    const schema = schemaOf(z.strictObject({ key: z.string(), limit: z.int32().optional(), until: z.string().nullable().optional() }));
    expect(withoutNulls(schema, { key: 'k', limit: null, until: null })).toEqual({ key: 'k' });
  });

  it('keep null where a required field may be null, and take absence for it', () => {
    const schema = schemaOf(z.strictObject({ until: z.string().nullable() }));
    expect(withoutNulls(schema, { until: null })).toEqual({ until: null });
    expect(withoutNulls(schema, {})).toEqual({ until: null });
  });

  it('tell null from absence in JSON', () => {
    const schema = schemaOf(z.strictObject({ value: z.unknown() }));
    expect(withoutNulls(schema, { value: null })).toEqual({ value: null });
    expect(withoutNulls(schema, {})).toEqual({});
    expect(withoutNulls(schema, { value: { a: null } })).toEqual({ value: { a: null } });
  });

  it('reach into lists and objects', () => {
    const item = z.strictObject({ number: z.int32(), note: z.string().optional() });
    const schema = schemaOf(z.strictObject({ items: z.array(item), one: item.optional() }));
    expect(withoutNulls(schema, { items: [{ number: 1, note: null }], one: { number: 2, note: null } })).toEqual({
      items: [{ number: 1 }],
      one: { number: 2 },
    });
  });
});
