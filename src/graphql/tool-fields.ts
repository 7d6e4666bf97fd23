import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLFieldConfigMap, GraphQLSchema } from 'graphql';
import { GraphQLNonNull, GraphQLString } from 'graphql';
import { callTool } from '../kernel/call-tool.ts';
import type { RegisteredTool, Registry } from '../kernel/registry.ts';
import type { Context } from './context.ts';
import { pascal, TypeBridge } from './tool-types.ts';
import { withoutNulls } from './tool-values.ts';

type Field = GraphQLFieldConfig<unknown, Context>;

/** The field of a tool: `os.set_context` is `osSetContext`. */
export const fieldName = (tool: string) => {
  const name = pascal(tool);
  return name[0]!.toLowerCase() + name.slice(1);
};

/** Whether a tool has a field: its name is fixed, and somebody but the service itself may call it. */
const hasField = ({ name, calledBy }: RegisteredTool) => !name.includes('<') && calledBy.some((caller) => caller !== 'os');

/** One field for each built-in tool: a query for what reads, a mutation for what writes. */
export function toolFields(registry: Registry, schema: GraphQLSchema) {
  const bridge = new TypeBridge(schema);
  const fields = (effect: 'read' | 'write'): GraphQLFieldConfigMap<unknown, Context> => {
    const tools = registry.builtIn.filter((tool) => hasField(tool) && tool.effect === effect);
    return Object.fromEntries(tools.map((tool) => [fieldName(tool.name), toolField(tool, bridge)]));
  };
  return { queries: fields('read'), mutations: fields('write') };
}

const toolCallId = {
  type: GraphQLString,
  description: 'The caller’s own id of this call, 1–200 characters: sent again with the same content it is the same call.',
};

function toolField(tool: RegisteredTool, bridge: TypeBridge): Field {
  const { args, read } = argumentsOf(tool, bridge);
  return {
    type: bridge.output(tool.outputSchema, `${pascal(tool.name)}Result`, `What ${tool.name} answers.`),
    description: tool.description,
    args: { ...args, toolCallId },
    extensions: { tool: tool.name },
    resolve: async (_root, sent, { kernel, caller, bytes }) => {
      const answer = await callTool(kernel, caller, tool, read(sent), sent.toolCallId);
      if (!caller.run) bytes.add(tool.name, answer); // what a run is answered has a limit of its own
      return answer;
    },
  };
}

type Sent = Record<string, unknown>;

/** The arguments of a tool's field, and how the tool's own are read from them. What takes none has none. */
function argumentsOf(tool: RegisteredTool, bridge: TypeBridge): { args: GraphQLFieldConfigArgumentMap; read: (sent: Sent) => unknown } {
  const schema = tool.inputSchema;
  const name = `${pascal(tool.name)}Input`;
  if (Object.keys(schema.properties ?? {}).length === 0) return { args: {}, read: () => ({}) };
  if (tool.effect === 'read' || tool.arguments === 'any') {
    const read = ({ toolCallId: _, ...sent }: Sent) => withoutNulls(schema, sent);
    return { args: bridge.inputFields(schema, name, `${tool.name} takes`), read };
  }
  const type = new GraphQLNonNull(bridge.inputObject(schema, name, `What ${tool.name} takes.`));
  return { args: { input: { type, description: `What ${tool.name} takes.` } }, read: ({ input }) => withoutNulls(schema, input) };
}
