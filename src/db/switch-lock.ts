import { statement } from './statement.ts';
import type { Queryable } from './transaction.ts';

/*
 * What a person or the operator switches (spending, draining, a task's latest version, a credential, an office) is read by many
 * transactions and changed by few. Whoever acts by a switch holds those of the enterprise together with all others who do; whoever
 * switches has them alone. So nothing that read the old value commits after the switch was answered. Row locks would do the same,
 * but an endless line of readers keeps a writer out; here the readers behind a waiting writer wait for it.
 * Order: after the locks of run, gate and call, before the event counter; whoever has the switches alone locks no run after it.
 */
const KEY = 'hashtextextended($1, 0)';

const hold = statement<object, [string]>('hold_switches', `SELECT pg_advisory_xact_lock_shared(${KEY})`);

const lock = statement<object, [string]>('lock_switches', `SELECT pg_advisory_xact_lock(${KEY})`);

/** The statement that holds every switch of the enterprise as it is to the end of the transaction. What it is, is read after it. */
export const holdingSwitches = (enterpriseId: string) => hold(enterpriseId);

/** Holds every switch of the enterprise as it is to the end of the transaction. */
export const holdSwitches = async (tx: Queryable, enterpriseId: string) => void (await tx.query(hold(enterpriseId)));

/** To the end of the transaction nobody acts by a switch of the enterprise: whoever does has committed. */
export const lockSwitches = async (tx: Queryable, enterpriseId: string) => void (await tx.query(lock(enterpriseId)));

/** Of two transactions that ask with the same key in one enterprise, the second goes on when the first has ended. */
export const lockKey = async (tx: Queryable, enterpriseId: string, key: string) => void (await tx.query(lock(`${enterpriseId} ${key}`)));
