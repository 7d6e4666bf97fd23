import { type DocumentNode, GraphQLError, parse, TokenKind, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { MOST_ANSWER_BYTES } from '../kernel/errors.ts';
import { type Size, sizesOf } from './measure.ts';

/** What one operation may be, over every transport. */
export const LIMITS = {
  depth: 12,
  aliases: 30,
  tokens: 2_000,
  rootFields: 20,
  directives: 50,
  cost: 5_000,
  introspection: 2,
  /** Characters of one name: validation compares an unknown one with those it knows. */
  name: 200,
  batch: 1,
  subscriptions: 100,
  /** Of the variables: each number, text, list and object in them. */
  values: 10_000,
  /** Of the texts and documents that one answer holds. */
  bytes: MOST_ANSWER_BYTES,
} as const;

/** Bytes of a request body, and of a frame on a socket. */
export const MOST_BYTES = 1_048_576;

type Limit = keyof typeof LIMITS;

const SAID: Record<Limit, string> = {
  depth: 'levels deep',
  aliases: 'aliases',
  tokens: 'tokens long',
  rootFields: 'fields at its root',
  directives: 'directives',
  cost: 'objects costly (each list’s `first` times what lies under it)',
  introspection: 'lists of types within each other',
  name: 'characters in one name',
  batch: 'operations in one request',
  subscriptions: 'subscriptions on one socket',
  values: 'values in the variables',
  bytes: 'bytes of texts and documents in one answer',
};

/** The refusal of what goes past a limit. `advice`: what to ask for instead. */
export function tooComplex(limit: Limit, found: number, advice = ''): GraphQLError {
  const allowed = LIMITS[limit];
  const details = { limit, found, allowed };
  const message = `Too complex: ${found} ${SAID[limit]}, and ${allowed} are allowed.${advice}`;
  return new GraphQLError(message, { extensions: { code: 'query_too_complex', details, http: { spec: true, status: 400 } } });
}

const FORM = ['depth', 'aliases', 'directives', 'rootFields', 'introspection'] as const satisfies (keyof Size)[];

const measured = new WeakMap<DocumentNode, GraphQLError[]>();

/** What a document's form exceeds, before it is validated: validating a bad one may take long. */
function excessOf(document: DocumentNode): GraphQLError[] {
  const known = measured.get(document);
  if (known) return known;
  const sizes = sizesOf(document);
  const errors = FORM.flatMap((limit) => {
    const found = Math.max(0, ...sizes.map((size) => size[limit]));
    return found > LIMITS[limit] ? [tooComplex(limit, found)] : [];
  });
  measured.set(document, errors);
  return errors;
}

const TOKENS = /^Syntax Error: Document contains more th?a[tn] \d+ tokens/;

/** Parses at most so many tokens; how many more there are is not counted. */
const parseWithin: typeof parse = (source, options) => {
  try {
    return withShortNames(parse(source, { ...options, maxTokens: LIMITS.tokens }));
  } catch (error) {
    if (error instanceof GraphQLError && TOKENS.test(error.message)) throw tooComplex('tokens', LIMITS.tokens + 1);
    throw error;
  }
};

function withShortNames(document: DocumentNode): DocumentNode {
  for (let token = document.loc?.startToken ?? null; token; token = token.next) {
    const length = token.end - token.start;
    if (token.kind === TokenKind.NAME && length > LIMITS.name) throw tooComplex('name', length);
  }
  return document;
}

/** The most errors of one document: looking for the names that one could have meant takes its time for each. */
const MOST_ERRORS = 20;

const validateSome: typeof validate = (schema, document, rules) => validate(schema, document, rules, { maxErrors: MOST_ERRORS });

/** Refuses documents by their form: no resolver runs, nothing is read. The cost, which needs the variables, comes before execution. */
export const useLimits = (): Plugin => ({
  onParse: ({ setParseFn }) => setParseFn(parseWithin as never),
  onValidate: ({ params, setResult, setValidationFn }) => {
    setValidationFn(validateSome as never);
    const errors = excessOf(params.documentAST);
    if (errors.length > 0) setResult(errors);
  },
});
