import type { Caller } from '../auth/caller.ts';
import type { Tx } from '../db/database.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import type { CallContext } from './define.ts';
import { ToolError } from './errors.ts';
import type { RegisteredTool, Registry } from './registry.ts';

interface Circumstances {
  tx: Tx | null;
  now: Date;
  enterpriseId: string;
  caller: Caller | null;
  callId: string | null;
  run: CallingRun | null;
  registry: Registry;
}

/** What a handler of this tool is given. */
export function contextOf(tool: RegisteredTool, { tx, ...rest }: Circumstances): CallContext {
  return {
    ...rest,
    get tx(): Tx {
      if (!tx) throw new Error(`${tool.name} acts outside the database and has no transaction`);
      return tx;
    },
    fail(code, message, details) {
      throw new ToolError(code, message, details);
    },
  };
}
