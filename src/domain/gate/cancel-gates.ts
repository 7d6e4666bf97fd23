import type { Tx } from '../../db/database.ts';
import type { Gate } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import type { RunState } from '../run/run-row.ts';
import { CEO_OF_GATE } from './ceo-of-gate.ts';

const cancel = statement<Pick<Gate, 'id' | 'callId'>, [string, Date]>(
  'cancel_gates',
  `UPDATE "Gate" SET "status" = 'CANCELLED', "decidedAt" = $2, "ownerId" = ${CEO_OF_GATE} WHERE "runId" = $1 AND "status" = 'WAITING' RETURNING "id", "callId"`,
);

const closeCall = statement<object, [string, Date]>(
  'close_cancelled_call',
  `UPDATE "ToolCall" SET "status" = 'TOOL_ERROR', "errorCode" = 'gate_cancelled', "errorHandling" = 'TOOL_ERROR',
     "errorMessage" = 'The run ended while this call waited for a decision; it was not made. Stop, and make no further call in this run.', "finishedAt" = $2
   WHERE "id" = $1 AND "status" = 'WAITING'`,
);

/** Ends the open gate of a locked run that is ending, and its call with it. */
export async function cancelGates(tx: Tx, now: Date, run: RunState) {
  if (run.status !== 'WAITING' && run.status !== 'BLOCKED') return;
  for (const gate of await tx.query(cancel(run.id, now))) {
    await tx.query(closeCall(gate.callId, now));
    const about = { enterpriseId: run.enterpriseId, runId: run.id, gateId: gate.id, callId: gate.callId };
    tx.emit({ ...about, topic: 'GATE', kind: 'CANCELLED' });
    tx.emit({ ...about, topic: 'RUN', kind: 'DECIDED' });
  }
}
