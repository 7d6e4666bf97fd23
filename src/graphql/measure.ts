import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large an operation is, its fragments spread out. */
export interface Size {
  depth: number;
  aliases: number;
  directives: number;
  rootFields: number;
  /** How many lists of the introspection that multiply each other are nested. */
  introspection: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, rootFields: 0, introspection: 0 };

/** Lists of `__Type` that lead from types to types. */
const INTROSPECTION_LISTS = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);

/** Adds what stands beside `size`: counts sum up, depths do not. */
const beside = (size: Size, other: Size): Size => ({
  depth: Math.max(size.depth, other.depth),
  aliases: size.aliases + other.aliases,
  directives: size.directives + other.directives,
  rootFields: size.rootFields + other.rootFields,
  introspection: Math.max(size.introspection, other.introspection),
});

/** The fragments of a document by name. */
export const fragmentsOf = (document: DocumentNode) =>
  new Map(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])));

export const operationsOf = (document: DocumentNode) =>
  document.definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);

/**
 * The size of each operation of a document that was parsed and not yet validated. A fragment is measured once, however often
 * it is spread, so that a small document that spreads out to a large one takes no time; one within itself counts as nothing.
 */
export function sizesOf(document: DocumentNode): Size[] {
  const measure = measurerOf(fragmentsOf(document));
  return operationsOf(document).map((operation) => {
    const directives = [operation, ...(operation.variableDefinitions ?? [])].reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
    return beside(measure(operation.selectionSet), { ...NOTHING, directives });
  });
}

function measurerOf(fragments: Map<string, FragmentDefinitionNode>) {
  const known = new Map<string, Size>();

  const ofFragment = (name: string): Size => {
    const measured = known.get(name);
    const fragment = fragments.get(name);
    if (measured || !fragment) return measured ?? NOTHING;
    known.set(name, NOTHING); // while it is being measured: a cycle ends here, and validation refuses it
    const inner = ofSet(fragment.selectionSet);
    const size = { ...inner, directives: inner.directives + (fragment.directives?.length ?? 0) };
    known.set(name, size);
    return size;
  };

  const ofField = ({ name: { value: name }, alias, directives, selectionSet }: FieldNode): Size => {
    const inner = selectionSet ? ofSet(selectionSet) : NOTHING;
    return {
      // A type reference unwraps one object by each `ofType`: the standard introspection nests nine of them.
      depth: inner.depth + (name === 'ofType' ? 0 : 1),
      aliases: inner.aliases + (alias ? 1 : 0),
      directives: inner.directives + (directives?.length ?? 0),
      rootFields: 1,
      introspection: inner.introspection + (selectionSet && INTROSPECTION_LISTS.has(name) ? 1 : 0),
    };
  };

  const ofSet = ({ selections }: SelectionSetNode): Size => {
    let size = NOTHING;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) size = beside(size, ofField(selection));
      else {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? ofSet(selection.selectionSet) : ofFragment(selection.name.value);
        size = beside(size, { ...inner, directives: inner.directives + (selection.directives?.length ?? 0) });
      }
    }
    return size;
  };

  return ofSet;
}

/**
 * How often an answer may hold what is read for it once: two aliases of one field, or of what it hangs on, double it. Counted are
 * the aliases below the root whose field is one of `long` or holds one, and connections that are asked for by `nodes` and `edges` both.
 */
export function copiesIn(document: DocumentNode, operation: OperationDefinitionNode, long: ReadonlySet<string>): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, [holds: boolean, aliases: number]>();

  const ofFragment = (name: string): [boolean, number] => {
    const counted = known.get(name) ?? ofSet(fragments.get(name)!.selectionSet);
    known.set(name, counted);
    return counted;
  };

  const ofSet = ({ selections }: SelectionSetNode): [boolean, number] => {
    let [holdsAny, sum] = [false, 0];
    const holding = new Set<string>();
    for (const selection of selections) {
      const [inner, aliases] =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : selection.selectionSet
            ? ofSet(selection.selectionSet)
            : ([false, 0] as const);
      const holds = inner || (selection.kind === Kind.FIELD && long.has(selection.name.value));
      sum += aliases + (holds && selection.kind === Kind.FIELD && selection.alias ? 1 : 0);
      holdsAny ||= holds;
      if (holds && selection.kind === Kind.FIELD) holding.add(selection.name.value);
    }
    return [holdsAny, sum + (holding.has('nodes') && holding.has('edges') ? 1 : 0)];
  };

  const below = rootFieldsOf(document, operation).map(({ selectionSet }) => (selectionSet ? ofSet(selectionSet)[1] : 0));
  return 1 + below.reduce((sum, aliases) => sum + aliases, 0);
}

/** The fields at the root of an operation, fragments spread out. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fragments = fragmentsOf(document);
  const seen = new Set<string>();
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      if (seen.has(selection.name.value)) return [];
      seen.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment ? fieldsOf(fragment.selectionSet) : [];
    });
  return fieldsOf(operation.selectionSet);
}
