import pg from 'pg';

/** `away`: the database cannot be used; `busy`: a lock, a connection or an answer was waited for too long. */
export type TroubleKind = 'away' | 'busy';

/**
 * The database did not do what it was asked, and that is nobody's mistake: the same may be asked again. Its transaction was undone,
 * unless the connection was lost while COMMIT was under way: then nobody knows.
 */
export class DatabaseTrouble extends Error {
  override readonly name = 'DatabaseTrouble';

  /** @param state the SQLSTATE, or the system's code, where there is one. (Prisma would wrap an error that has a `code`.) */
  constructor(
    readonly kind: TroubleKind,
    message: string,
    readonly state?: string,
  ) {
    super(message);
  }
}

/** lock_not_available; query_canceled, by statement_timeout; deadlock_detected; serialization_failure. */
const BUSY = ['55P03', '57014', '40P01', '40001'];

/** idle_in_transaction_session_timeout, transaction_timeout, read_only_sql_transaction: of a server that has become a standby. */
const AWAY = ['25P03', '25P04', '25006'];

/** Connections, resources (disk, memory, connections), what the operator or a crash does, input and output of the server. */
const AWAY_CLASSES = ['08', '53', '57', '58'];

/** What `pg` says, without a code, of a connection that is gone or a query that nothing answers. */
const GONE = /^Connection terminated|is not queryable$|^Query read timeout$/;

/** A prepared statement whose tables have changed since: Postgres wants it prepared anew. */
const isStalePlan = ({ code, routine }: { code?: string; routine?: string }) => code === '0A000' && routine === 'RevalidateCachedQuery';

function kindOf(error: Error & { code?: string; syscall?: string }): TroubleKind | undefined {
  if (!(error instanceof pg.DatabaseError)) return error.syscall !== undefined || GONE.test(error.message) ? 'away' : undefined;
  const code = error.code ?? '';
  if (BUSY.includes(code) || isStalePlan(error)) return 'busy';
  return AWAY.includes(code) || AWAY_CLASSES.includes(code.slice(0, 2)) ? 'away' : undefined;
}

/** The one place that tells what is the database's trouble: answers that, or the error as it is. */
export function troubleOr(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseTrouble) return error;
  const kind = kindOf(error);
  return kind ? new DatabaseTrouble(kind, error.message, (error as { code?: string }).code) : error;
}

/** Whether the same work, which was undone, may be tried again at once: after a deadlock or a serialisation failure. */
export const isRepeatable = (error: unknown) => error instanceof DatabaseTrouble && ['40P01', '40001'].includes(error.state ?? '');

/** Whether a statement has to be prepared anew, on another connection. */
export const isStale = (error: unknown) => error instanceof DatabaseTrouble && error.state === '0A000';
