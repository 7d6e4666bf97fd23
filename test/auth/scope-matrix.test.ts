import {
  execute,
  GraphQLEnumType,
  type GraphQLField,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isCompositeType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  subscribe,
} from 'graphql';
import { expect, test } from 'vitest';
import { authenticate } from '../../src/auth/authenticate.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { SCOPES } from '../../src/auth/scopes.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import { ACCESS, guard } from '../../src/graphql/access.ts';
import type { Context } from '../../src/graphql/context.ts';
import { asGraphQLError } from '../../src/graphql/errors.ts';
import { ResponseReads } from '../../src/graphql/response-reads.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import contract from '../contract/tools.json' with { type: 'json' };
import { testApp } from '../support/app.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const app = await testApp();
const { kernel, url } = app;
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const run = await harness.run();
const schema = createSchema(kernel.registry);
const REFUSALS = ['unauthenticated', 'scope_missing', 'not_allowed', 'not_gate_owner', 'run_read_only', 'tool_not_on_task'];

interface Operation {
  name: string;
  kind: 'query' | 'mutation' | 'subscription';
  field: GraphQLField<unknown, Context>;
}

const OPERATIONS: Operation[] = (['query', 'mutation', 'subscription'] as const).flatMap((kind) => {
  const type = schema.getRootType(kind as never)!;
  return Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, kind, field: field as never }));
});

/** Every kind of caller; of API tokens one for each scope, one without any, and one with all that a person granted. */
async function callers(): Promise<Map<string, Caller>> {
  const { enterpriseId, ceo, person } = company;
  const chat = await issueToken(kernel.db, { enterpriseId, kind: 'CHAT', name: 'chat', personId: ceo.id, createdAt: kernel.now() });
  const secrets: [string, string][] = [
    ['run', run.token],
    ['chat', chat.secret],
    ['CEO', company.ceoSession],
    ['person', company.personSession],
    ['no scope', await makeToken(kernel, company, [])],
    ['all scopes', company.apiToken],
    ['all scopes, by a person', await makeToken(kernel, company, [...SCOPES], person.id)],
  ];
  for (const scope of SCOPES)
    secrets.push(
      [scope, await makeToken(kernel, company, [scope])],
      [
        `all but ${scope}`,
        await makeToken(
          kernel,
          company,
          SCOPES.filter((other) => other !== scope),
        ),
      ],
    );
  return new Map(await Promise.all(secrets.map(async ([name, secret]) => [name, await enter(secret)] as const)));
}

const enter = (secret: string) => authenticate(kernel.db, kernel.timing, secret, kernel.now());

/** The least that the type accepts; every id is that of the run. */
function least(type: GraphQLInputType): unknown {
  if (type instanceof GraphQLNonNull) return least(type.ofType);
  if (type instanceof GraphQLList) return [least(type.ofType)];
  if (type instanceof GraphQLEnumType) return type.getValues()[0]!.name;
  if (type instanceof GraphQLInputObjectType) {
    const needed = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(needed.map((field) => [field.name, least(field.type)]));
  }
  const values: Record<string, unknown> = { Int: 1, Float: 1, SafeInt: 1, Boolean: true, JSON: {}, DateTime: '2031-01-01T00:00:00Z' };
  return values[type.name] ?? run.runId;
}

function documentOf({ kind, field }: Operation) {
  const args = field.args.filter(isRequiredArgument);
  const [declared, given] = [args.map(({ name, type }) => `$${name}: ${type}`), args.map(({ name }) => `${name}: $${name}`)];
  const list = (texts: string[]) => (texts.length > 0 ? `(${texts.join(', ')})` : '');
  const type = getNamedType(field.type);
  const selection = type.name === 'DecideGateResult' ? '{ error { code } }' : isCompositeType(type) ? '{ __typename }' : '';
  const document = parse(`${kind} ${list(declared)} { ${field.name}${list(given)} ${selection} }`);
  return { document, variableValues: Object.fromEntries(args.map(({ name, type: wanted }) => [name, least(wanted)])) };
}

/** `passes`, or the code of the refusal. */
async function verdict(operation: Operation, caller: Caller): Promise<string> {
  const feeds = { subscribe: () => Object.assign(pending(), { opened: Promise.resolve(), ended: new Promise<never>(() => {}) }) };
  const reads = new ResponseReads(kernel.db.prisma, caller.enterpriseId);
  const transport = { transport: 'POST', limited: undefined, gone: [new AbortController().signal], onSlow: undefined };
  const contextValue = { ...transport, kernel, caller, feeds, live: { add: () => {}, watch: () => () => {} }, reads } as unknown as Context;
  const asked = { schema, contextValue, ...documentOf(operation) };
  const result: any = await (operation.kind === 'subscription' ? subscribe(asked) : execute(asked));
  const thrown = result.errors?.[0] && asGraphQLError(result.errors[0], kernel.log).extensions.code;
  const code = thrown ?? result.data?.[operation.field.name]?.[0]?.error?.code;
  return REFUSALS.includes(code) ? code : 'passes';
}

const pending = () => ({ next: () => new Promise<never>(() => {}), return: async () => ({ done: true, value: undefined }) });

/** What a scope lets each caller do: a session reads everything, the CEO's writes. */
function byScope(scope: string, { kind, scopes, person }: Caller, refusal = 'not_allowed'): string {
  if (kind === 'API_TOKEN') return scopes.includes(scope) ? 'passes' : 'scope_missing';
  if (kind !== 'SESSION') return 'not_allowed';
  return scope.endsWith(':read') || person!.isCeo ? 'passes' : refusal;
}

function byMatrix(name: string, caller: Caller): string {
  const access = ACCESS[name]!;
  if (access === 'anyone') return 'passes';
  if ('only' in access) return caller.kind === access.only ? 'passes' : 'not_allowed';
  if (access.run && caller.kind === 'RUN') return 'passes';
  const scoped = byScope(access.scope, caller, access.owner ? 'not_gate_owner' : 'not_allowed');
  return access.owner && scoped === 'passes' && !caller.person!.isCeo ? 'not_gate_owner' : scoped;
}

/** By the contract of the tools: a run by its task, which declares none here; others by the scope of the route. */
function byContract(tool: string, caller: Caller): string {
  const { calledBy, api } = contract.tools.find(({ name }) => name === tool)! as { calledBy: string[]; api: { scope: string }[] | null };
  if (caller.kind === 'RUN') return 'tool_not_on_task';
  if (caller.kind === 'CHAT' && calledBy.includes('ceo_chat')) return 'passes';
  const scope = api?.map((route) => route.scope).find((name) => name !== 'run:self');
  return calledBy.includes('api') && scope ? byScope(scope, caller) : 'not_allowed';
}

test('every operation answers every kind of caller and every scope as the matrix says', async () => {
  const all = [...(await callers())];
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of OPERATIONS) {
    const tool = operation.field.extensions.tool as string | undefined;
    // A tool that its task does not declare ends the run: each is called by a run of its own.
    const ofItsOwn = tool && (await enter((await harness.run()).token));
    const found = await Promise.all(all.map(([, caller]) => verdict(operation, caller.run && ofItsOwn ? ofItsOwn : caller)));
    for (const [index, [name, caller]] of all.entries()) {
      const expected = tool ? byContract(tool, caller) : byMatrix(operation.name, caller);
      tried++;
      if (found[index] !== expected) wrong.push(`${operation.name} as ${name}: ${found[index]}, and the matrix says ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBe(OPERATIONS.length * (7 + 2 * SCOPES.length));
}, 120_000);

test('the matrix holds what the schema has, and nothing else', () => {
  const own = OPERATIONS.filter(({ field }) => !field.extensions.tool).map(({ name }) => name);
  const roots = Object.keys(ACCESS).filter((name) => /^(Query|Mutation|Subscription)\./.test(name));
  expect(roots.sort()).toEqual(own.sort());
});

test('an operation without a row stops the service from starting', () => {
  const added = { secrets: { type: schema.getQueryType()!.getFields().eventCursor!.type, resolve: () => 'all of them' } };
  const query = schema.getQueryType()!.toConfig();
  const config = { ...schema.toConfig(), query: new GraphQLObjectType({ ...query, fields: { ...query.fields, ...added } }) };
  expect(() => guard(new GraphQLSchema({ ...config, types: config.types.filter(({ name }) => name !== 'Query') }))).toThrow(
    'Who may use Query.secrets? It does not stand in ACCESS.',
  );
});
