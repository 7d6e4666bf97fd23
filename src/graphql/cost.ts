import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { fragmentsOf } from './measure.ts';

const DEFAULT_FIRST = 25;
/** What a list of objects without `first` is taken to hold: the gates of a run, the versions of a task. */
const LIST = 10;

/**
 * How many objects an operation may make: each field that answers objects counts one, and what lies under a list `first`
 * times. The document must be valid. `variables` are as they were sent.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, number>();
  const sent = withDefaults(operation, variables);

  const ofFragment = (name: string, paged: boolean): number => {
    const key = `${name} ${paged}`;
    const fragment = fragments.get(name)!;
    const cost = known.get(key) ?? ofSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value)!, paged);
    known.set(key, cost);
    return cost;
  };

  const ofField = (node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, paged: boolean): number => {
    if (!field || !node.selectionSet) return 0;
    const arg = field.args.find(({ name }) => name === 'first');
    const first = arg && firstOf(node, sent, arg.defaultValue as number | undefined);
    const times = first ?? (!paged && isListOfObjects(field.type) ? LIST : 1);
    return 1 + times * ofSet(node.selectionSet, getNamedType(field.type), first !== undefined);
  };

  const ofSet = ({ selections }: SelectionSetNode, type: GraphQLNamedType, paged: boolean): number => {
    const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
    return selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + ofField(selection, fields[selection.name.value], paged);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + ofFragment(selection.name.value, paged);
      const condition = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
      return sum + ofSet(selection.selectionSet, condition ?? type, paged);
    }, 0);
  };

  return ofSet(operation.selectionSet, schema.getRootType(operation.operation)!, false);
}

const isListOfObjects = (type: GraphQLOutputType) => isListType(getNullableType(type)) && isCompositeType(getNamedType(type));

function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, variables: Record<string, unknown>) {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return new Map<string, unknown>([...defaults, ...Object.entries(variables)]);
}

function firstOf({ arguments: args = [] }: FieldNode, variables: Map<string, unknown>, otherwise = DEFAULT_FIRST): number {
  const value = args.find(({ name }) => name.value === 'first')?.value;
  const first =
    value?.kind === Kind.VARIABLE ? variables.get(value.name.value) : value?.kind === Kind.INT ? Number(value.value) : undefined;
  return typeof first === 'number' && first >= 0 ? first : otherwise;
}
