import { v7 } from 'uuid';
import type { Queryable } from '../db/database.ts';
import { json, statement } from '../db/statement.ts';
import { type Caller, viaOf } from './caller.ts';

/** An act that people can look up later: who did what to which object, when. */
export interface AuditedAct {
  /** Dotted, subject first: `gate.decided`. */
  action: string;
  subjectId: string;
  details: Record<string, unknown>;
  at: Date;
}

/** Whoever acts on an enterprise by `npm run admin`: no credential of its own. */
export interface Operator {
  operator: true;
  enterpriseId: string;
}

/** A run that acts by one of its tools. */
export interface ActingRun {
  runId: string;
  enterpriseId: string;
}

const insert = statement<object, [string, string, Date, string | null, string, string, string, unknown]>(
  'insert_audit_entry',
  `INSERT INTO "AuditEntry" ("id", "enterpriseId", "at", "personId", "via", "action", "subjectId", "details")
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Writes the act to the audit log, in the transaction of the act itself. */
export async function audit(tx: Queryable, by: Caller | Operator | ActingRun, act: AuditedAct): Promise<void> {
  const [personId, via] = whoOf(by);
  await tx.query(insert(v7(), by.enterpriseId, act.at, personId, via, act.action, act.subjectId, json(act.details)));
}

function whoOf(by: Caller | Operator | ActingRun): [personId: string | null, via: string] {
  if ('operator' in by) return [null, 'operator'];
  return 'runId' in by ? [null, `run ${by.runId}`] : [by.person?.id ?? null, viaOf(by)];
}
