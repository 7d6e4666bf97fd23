import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql';
import { ToolError } from '../kernel/errors.ts';
import type { Context } from './context.ts';
import { isServiceFailure } from './errors.ts';
import type { Told } from './event-source.ts';

/**
 * Executes a subscription as graphql-js does, for each event once, except that an event which cannot be read is not told: it is
 * tried again, and those behind it wait. The stream ends when that goes on for too long.
 */
export async function subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? new Results(args, source[Symbol.asyncIterator]() as AsyncIterator<Told, undefined>) : source;
}

const isTooComplex = ({ originalError, extensions }: GraphQLError) =>
  extensions.code === 'query_too_complex' || (originalError instanceof ToolError && originalError.code === 'query_too_complex');

class Results implements AsyncIterableIterator<ExecutionResult> {
  readonly #args: ExecutionArgs;
  readonly #source: AsyncIterator<Told, undefined>;
  #over = false;

  constructor(args: ExecutionArgs, source: AsyncIterator<Told, undefined>) {
    this.#args = args;
    this.#source = source;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.#over) return this.return();
    for (;;) {
      const { done, value: told } = await this.#source.next();
      if (done) return { done, value: undefined };
      const value = await this.#tell(told!);
      if (value) return { done: false, value };
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.#source.return!();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** Undefined: the stream has ended before the event could be told. */
  async #tell(told: Told): Promise<ExecutionResult | undefined> {
    const { telling } = this.#args.contextValue as Context;
    for (;;) {
      const result = await execute({ ...this.#args, rootValue: told });
      if (told instanceof Error) return result;
      // What asks for too much of an event was not told it: the stream ends before it, to be resumed with less.
      if (result.errors?.some(isTooComplex)) {
        this.#over = true;
        return result;
      }
      if (!result.errors?.some(isServiceFailure)) {
        telling!.sent(told);
        return result;
      }
      if (!(await telling!.again())) return undefined;
    }
  }
}
