import { v7 } from 'uuid';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/database.ts';
import type { Gate } from '../db/generated/client.ts';
import type { GateKind, GateStatus } from '../db/generated/enums.ts';
import { json, statement } from '../db/statement.ts';
import { tellNoLongerStalled } from '../domain/blocker/stopped.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import { addDelivery } from '../domain/webhook/deliveries.ts';
import type { CallRow } from './call-row.ts';
import { payloadHash } from './hash.ts';
import { after, type Kernel } from './kernel.ts';
import { invalidArguments } from './parse-input.ts';
import type { RegisteredTool } from './registry.ts';

/** What ends a gate. `left`: a choice that lets the matter rest. */
export type GateEnd = 'approved' | 'rejected' | 'left' | 'changes_requested' | 'expired';

/** What an end makes of the gate, its call and its run. */
export interface Transition {
  gate: GateStatus;
  /** `execute`: the approved payload; `answer`: the decision itself is the result; else the error that the call ends with. */
  call: 'execute' | 'answer' | 'gate_rejected' | 'gate_changes_requested' | 'gate_expired';
  run: 'RUNNING' | 'FINISHED' | 'CANCELLED';
  outcome?: 'ceo_approved' | 'ceo_rejected';
}

const on = (call: Transition['call'], gate: GateStatus): Transition => ({ gate, call, run: 'RUNNING' });

/** Every end of either kind of gate; the whole of what may happen. (Cancelling a run ends its gate too: `cancelGates`.) */
export const TRANSITIONS: Record<GateEnd, Record<GateKind, Transition>> = {
  approved: {
    HOLDING: on('execute', 'APPROVED'),
    RUN_ENDING: { gate: 'APPROVED', call: 'answer', run: 'FINISHED', outcome: 'ceo_approved' },
  },
  rejected: {
    HOLDING: on('gate_rejected', 'REJECTED'),
    RUN_ENDING: { gate: 'REJECTED', call: 'gate_rejected', run: 'FINISHED', outcome: 'ceo_rejected' },
  },
  left: {
    HOLDING: on('gate_rejected', 'REJECTED'),
    RUN_ENDING: { gate: 'REJECTED', call: 'gate_rejected', run: 'CANCELLED' },
  },
  changes_requested: {
    HOLDING: on('gate_changes_requested', 'CHANGES_REQUESTED'),
    RUN_ENDING: on('gate_changes_requested', 'CHANGES_REQUESTED'),
  },
  expired: { HOLDING: on('gate_expired', 'EXPIRED'), RUN_ENDING: on('gate_expired', 'EXPIRED') },
};

/** What a gate is opened for. */
export interface Opening {
  /** The row id of the call, which was just claimed. */
  id: string;
  tool: RegisteredTool;
  /** The arguments as the tool's schema reads them: what is shown, hashed and executed. */
  payload: unknown;
  /** What the run wrote for this gate. */
  summary: string | null;
  gate: { timeoutMinutes: number | null };
}

type GateValues = [string, string, string, string, GateKind, string, unknown, string, string | null, unknown, boolean, Date, Date | null];

const insertGate = statement<Gate, GateValues>(
  'insert_gate',
  `WITH gate AS (
     INSERT INTO "Gate" ("id", "enterpriseId", "runId", "callId", "kind", "tool", "payload", "payloadHash", "summary", "choices",
       "canRequestChanges", "createdAt", "timesOutAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   )
   INSERT INTO "GateVersion" ("gateId", "number", "enterpriseId", "payload", "payloadHash", "createdAt") VALUES ($1, 1, $2, $7, $8, $12)`,
);

const park = statement<CallRow, [callId: string, runId: string, summaryGateId: string | null]>(
  'park_run',
  `WITH run AS (
     UPDATE "Run" SET "status" = 'WAITING', "leaseExpiresAt" = NULL, "stalledAt" = NULL, "summaryGateId" = coalesce($3, "summaryGateId")
     WHERE "id" = $2
   )
   UPDATE "ToolCall" SET "status" = 'WAITING' WHERE "id" = $1 RETURNING ${columns('ToolCall')}`,
);

const MOST_PAYLOAD_BYTES = 256 * 1024;

/** A gate's payload is shown to people in lists: it is at most 256 KiB of JSON. @throws {ToolError} invalid_arguments */
export function checkPayloadSize(payload: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes <= MOST_PAYLOAD_BYTES) return;
  const message = `are ${bytes} bytes of JSON; a call that waits for a decision has at most ${MOST_PAYLOAD_BYTES}: send less in one call`;
  throw invalidArguments([{ path: '', message }]);
}

/**
 * Opens the gate of a call that was just claimed and parks the run. The gate copies all it needs; nothing later rewrites it.
 * @throws {ToolError} invalid_arguments: the payload is too large for a gate
 */
export async function openGate(tx: Tx, kernel: Kernel, run: CallingRun, opening: Opening): Promise<CallRow> {
  const { id: callId, tool, payload, summary, gate } = opening;
  checkPayloadSize(payload);
  const { enterpriseId } = run;
  const now = kernel.now();
  const gateId = v7();
  const kind: GateKind = tool.gate ? 'RUN_ENDING' : 'HOLDING';
  const timesOutAt = gate.timeoutMinutes === null ? null : after(now, gate.timeoutMinutes * 60_000);
  const choices = (tool.gate?.choices ?? []).map(({ value, label, note }) => ({ value, label, note: note ?? null }));
  const canRequestChanges = tool.gate?.canRequestChanges ?? true;
  await tx.query(
    insertGate(
      ...([gateId, enterpriseId, run.id, callId, kind, tool.name, json(payload), payloadHash(tool.name, payload)] as const),
      ...([summary, json(choices), canRequestChanges, now, timesOutAt] as const),
    ),
  );
  if (kernel.webhook) {
    await addDelivery(tx, enterpriseId, gateId, now);
    tx.afterCommit(() => kernel.webhook?.wake());
  }
  tx.emit({ enterpriseId, topic: 'GATE', kind: 'OPENED', runId: run.id, gateId, callId });
  tx.emit({ enterpriseId, topic: 'RUN', kind: 'WAITING', runId: run.id, gateId, callId });
  tellNoLongerStalled(tx, run);
  const [row] = await tx.last(park(callId, run.id, summary === null ? null : gateId));
  return row!;
}
