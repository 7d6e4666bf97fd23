import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Registry } from '../kernel/registry.ts';
import './audit.ts';
import './blocker-events.ts';
import './blockers.ts';
import './call-mutations.ts';
import './company.ts';
import './event-types.ts';
import './execution.ts';
import './gate-mutations.ts';
import './gate-queries.ts';
import './move-mutations.ts';
import './run-mutations.ts';
import './task-mutations.ts';
import './task.ts';
import './token-mutations.ts';
import './token.ts';
import './viewer.ts';
import { guard } from './access.ts';
import { builder } from './builder.ts';
import { limitLists } from './list-limits.ts';
import { toolFields } from './tool-fields.ts';

/** The schema of a service with these tools: the portal's own types, and a field for each built-in tool. */
export function createSchema(registry: Registry): GraphQLSchema {
  const base = builder.toSchema({ sortSchema: false });
  const { queries, mutations } = toolFields(registry, base);
  const query = extended(base.getQueryType()!, queries);
  const mutation = extended(base.getMutationType()!, mutations);
  const types = Object.values(base.getTypeMap()).filter(({ name }) => name !== 'Query' && name !== 'Mutation');
  return guard(limitLists(new GraphQLSchema({ ...base.toConfig(), types, query, mutation })));
}

function extended(type: GraphQLObjectType, fields: ReturnType<typeof toolFields>['queries']): GraphQLObjectType {
  const config = type.toConfig();
  const twice = Object.keys(fields).find((name) => config.fields[name]);
  if (twice) throw new Error(`${type.name}.${twice} would be there twice`);
  return new GraphQLObjectType({ ...config, fields: { ...config.fields, ...fields } });
}
