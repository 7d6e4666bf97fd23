import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { Caller } from '../auth/caller.ts';
import { requireScope, type Scope } from '../auth/scopes.ts';
import { ToolError } from '../kernel/errors.ts';
import { guardJson } from '../kernel/json-guard.ts';
import { invalidArguments } from '../kernel/parse-input.ts';
import type { Context } from './context.ts';

/** Who may use a field. */
export type Access =
  /** Whoever is known. */
  | 'anyone'
  /** That kind of credential alone. */
  | ({ only: 'SESSION' | 'RUN' } & Checked)
  /**
   * A session (to write, the CEO's), or an API token with the scope. `run`: a run token too, for what is its own run's.
   * `owner`: a session that may not is told not_gate_owner.
   */
  | ({ scope: Scope; run?: true; owner?: true } & Checked);

interface Checked {
  /** The function that the field calls makes this very check, wherever it is called from, and looks at its arguments itself. */
  called?: true;
}

const OWN = { run: true } as const;
const CALLED = { called: true } as const;
const WORK: Access = { scope: 'runs:work', ...OWN, ...CALLED };
const DECIDE: Access = { scope: 'gates:decide', owner: true, ...CALLED };

/**
 * Who may do what: every root field that is no tool's, and every list that hangs on an object. What is not here is refused
 * when the schema is built. A tool's scope is that of its route, in its definition.
 */
export const ACCESS: Record<string, Access> = {
  'Query.viewer': 'anyone',
  'Query.eventCursor': 'anyone',
  'Query.openGates': { scope: 'gates:read' },
  'Query.gate': { scope: 'gates:read', ...OWN },
  'Query.gates': { scope: 'gates:read', ...OWN },
  'Query.run': { scope: 'runs:read', ...OWN },
  'Query.runs': { scope: 'runs:read' },
  'Query.execution': { scope: 'runs:read' },
  'Query.executions': { scope: 'runs:read' },
  'Query.blockers': { scope: 'blockers:read' },
  'Query.task': { scope: 'tasks:read' },
  'Query.tasks': { scope: 'tasks:read' },
  'Query.taskDifference': { scope: 'tasks:read' },
  'Query.enterprise': { scope: 'enterprise:read' },
  'Query.people': { scope: 'enterprise:read' },
  'Query.members': { scope: 'members:read' },
  'Query.teams': { scope: 'teams:read' },
  'Query.roles': { scope: 'roles:read' },
  'Query.tokens': { only: 'SESSION' },
  'Query.auditLog': { scope: 'enterprise:read' },
  'Run.gates': { scope: 'gates:read', ...OWN },
  'Run.toolCalls': { scope: 'runs:read', ...OWN },
  'Run.retriedFrom': { scope: 'runs:read' },
  'Run.routedFrom': { scope: 'runs:read' },
  'HoldsUp.runs': { scope: 'runs:read' },
  'Execution.runs': { scope: 'runs:read' },
  'Task.versions': { scope: 'tasks:read' },
  'Team.members': { scope: 'members:read' },
  'Role.holders': { scope: 'members:read' },
  'Member.roles': { scope: 'roles:read' },
  'Member.teams': { scope: 'teams:read' },
  'Mutation.invokeTool': { only: 'RUN', ...CALLED },
  'Mutation.decideGate': DECIDE,
  'Mutation.decideGates': DECIDE,
  'Mutation.startRun': { scope: 'runs:write', ...CALLED },
  'Mutation.claimRun': { scope: 'runs:work', ...CALLED },
  'Mutation.heartbeatRun': WORK,
  'Mutation.finishRun': WORK,
  'Mutation.failRun': WORK,
  'Mutation.blockRun': WORK,
  'Mutation.cancelRun': { scope: 'runs:write', ...CALLED },
  'Mutation.retryRun': { scope: 'runs:write', ...CALLED },
  'Mutation.routeRun': { scope: 'runs:write', ...CALLED },
  'Mutation.clearRun': { scope: 'runs:write', ...CALLED },
  'Mutation.escalateRun': { scope: 'runs:write', ...CALLED },
  'Mutation.saveTask': { scope: 'tasks:write', ...CALLED },
  'Mutation.archiveTask': { scope: 'tasks:write', ...CALLED },
  'Mutation.createToken': { only: 'SESSION' },
  'Mutation.revokeToken': { only: 'SESSION' },
  'Subscription.gateEvents': { scope: 'gates:read', ...OWN },
  'Subscription.blockerEvents': { scope: 'blockers:read' },
  'Subscription.runEvents': { scope: 'runs:read', ...OWN },
};

/** Rows that the caller may read: those of its enterprise, and for a run token those of its own run. */
export const within = ({ enterpriseId, run }: Caller) => ({ enterpriseId, ...(run && { runId: run.id }) });

const KINDS = { SESSION: 'a session', RUN: 'a run token' };

function requireKind({ kind }: Caller, only: keyof typeof KINDS) {
  if (kind !== only) throw new ToolError('not_allowed', `It takes ${KINDS[only]} to do this.`);
}

function check({ caller }: Context, access: Access) {
  if (access === 'anyone') return;
  if ('only' in access) return requireKind(caller, access.only);
  if (access.run && caller.run) return;
  requireScope(caller, access.scope);
}

type AnyField = GraphQLField<unknown, Context>;

/** Puts the table's check in front of the resolvers. A root field that stands neither there nor is a tool's is an error. */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type!.getFields())) {
      const missing = !ACCESS[`${type!.name}.${field.name}`] && !field.extensions.tool;
      if (missing) throw new Error(`Who may use ${type!.name}.${field.name}? It does not stand in ACCESS.`);
    }
  }
  for (const [place, access] of Object.entries(ACCESS)) {
    const [typeName, fieldName] = place.split('.') as [string, string];
    const type = schema.getType(typeName) as { getFields(): Record<string, AnyField> } | undefined;
    const field = type?.getFields()[fieldName];
    if (!field) throw new Error(`ACCESS names ${place}, which the schema does not have.`);
    if (access !== 'anyone' && access.called) continue;
    if (field.subscribe) field.subscribe = guarded(field.subscribe, access);
    else field.resolve = guarded(field.resolve ?? defaultFieldResolver, access);
  }
  return schema;
}

function guarded(resolve: GraphQLFieldResolver<unknown, Context>, access: Access): GraphQLFieldResolver<unknown, Context> {
  return (parent, args, context, info) => {
    check(context, access);
    const unfit = guardJson(args);
    if (unfit.length > 0) throw invalidArguments(unfit);
    return resolve(parent, args, context, info);
  };
}

/** The refusal of a run token that reaches for another run. */
export const notOwnRun = () => new ToolError('not_allowed', 'A run token reads its own run only.');
