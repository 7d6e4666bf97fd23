import type { GateDecision, GateStatus, RunStatus, ToolCallStatus } from '../../src/db/generated/enums.ts';

export const LEASE = 60_000;
export const RECLAIM_AFTER = 30_000;
export const TIMEOUT = 600_000;

/** What a call asks for: a plain write, a plain read, a write that is held, and questions that end the run. */
export type Content = 'write' | 'read' | 'held' | 'question';

interface ModelCall {
  content: Content;
  status: ToolCallStatus;
}

interface ModelGate {
  callId: string;
  content: Content;
  status: GateStatus;
  timesOutAt: number;
}

/** What a step is told: a status or a code. */
type Answer = string;

/** The rules of runs, calls and gates, told once more and as shortly as they can be. Times in milliseconds. */
export class Model {
  now = 0;
  status: RunStatus = 'RUNNING';
  attempt = 1;
  lease: number | null = LEASE;
  outcome: string | null = null;
  readonly calls = new Map<string, ModelCall>();
  readonly gates: ModelGate[] = [];

  call(id: string, content: Content): Answer {
    const known = this.calls.get(id);
    if (known && known.content !== content) return 'tool_call_id_reused';
    if (known && content !== 'read') return known.status;
    if (this.status !== 'RUNNING') return this.#refusal();
    if (content === 'write' || content === 'read') {
      this.calls.set(id, { content, status: 'SUCCEEDED' });
      return 'SUCCEEDED';
    }
    this.calls.set(id, { content, status: 'WAITING' });
    this.gates.push({ callId: id, content, status: 'WAITING', timesOutAt: this.now + TIMEOUT });
    this.status = 'WAITING';
    this.lease = null;
    return 'WAITING';
  }

  decide(gate: ModelGate, decision: GateDecision): Answer {
    if (gate.status === 'WAITING' && gate.timesOutAt <= this.now) this.#expire(gate);
    if (gate.status !== 'WAITING') return 'gate_already_decided';
    const ends = gate.content === 'question';
    if (decision === 'REQUEST_CHANGES' && ends) return 'changes_not_possible';
    if (decision === 'APPROVE') this.#close(gate, 'APPROVED', 'SUCCEEDED');
    if (decision === 'REJECT') this.#close(gate, 'REJECTED', 'TOOL_ERROR');
    if (decision === 'REQUEST_CHANGES') this.#close(gate, 'CHANGES_REQUESTED', 'HANDED_BACK');
    if (ends) this.#end('FINISHED', decision === 'APPROVE' ? 'ceo_approved' : 'ceo_rejected');
    else this.#resume();
    return gate.status;
  }

  expireDue() {
    for (const gate of this.gates) if (gate.status === 'WAITING' && gate.timesOutAt <= this.now) this.#expire(gate);
  }

  heartbeat(): Answer {
    if (this.status === 'RUNNING') this.lease = this.now + LEASE;
    return this.status === 'RUNNING' || this.status === 'WAITING' ? this.status : 'run_not_active';
  }

  end(status: 'FINISHED' | 'FAILED' | 'BLOCKED'): Answer {
    const isRepeat = this.status === status && this.outcome === (status === 'FINISHED' ? 'done' : null) && !this.exhausted;
    if (isRepeat) return status;
    if (this.status !== 'RUNNING') return this.#refusal();
    this.#end(status, status === 'FINISHED' ? 'done' : null);
    return status;
  }

  /** It failed for its leases, not by its worker. */
  exhausted = false;

  cancel(): Answer {
    if (this.status === 'FINISHED' || this.status === 'FAILED') return 'run_not_active';
    for (const gate of this.gates) if (gate.status === 'WAITING') this.#close(gate, 'CANCELLED', 'TOOL_ERROR');
    this.#end('CANCELLED', null);
    return 'CANCELLED';
  }

  claim(): Answer {
    if (this.status !== 'RUNNING' || this.lease! >= this.now - RECLAIM_AFTER) return 'nothing';
    if (this.attempt === 3) {
      this.#end('FAILED', null);
      this.exhausted = true;
      return 'nothing';
    }
    this.attempt++;
    this.lease = this.now + LEASE;
    return 'RUNNING';
  }

  #expire(gate: ModelGate) {
    this.#close(gate, 'EXPIRED', 'TOOL_ERROR');
    this.#resume();
  }

  #close(gate: ModelGate, status: GateStatus, call: ToolCallStatus) {
    gate.status = status;
    this.calls.get(gate.callId)!.status = call;
  }

  #resume() {
    this.status = 'RUNNING';
    this.lease = this.now + LEASE;
  }

  #end(status: RunStatus, outcome: string | null) {
    this.status = status;
    this.outcome = outcome;
    this.lease = null;
  }

  #refusal = (): Answer => (this.status === 'WAITING' ? 'run_waiting' : 'run_not_active');
}
