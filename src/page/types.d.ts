export interface Person {
  id: string;
  name: string;
}

export interface RunRef {
  id: string;
  task: { slug: string; name: string };
}

export interface Run extends RunRef {
  status: string;
  attempt: number;
  reason: string | null;
  failureCode: string | null;
  outcome: string | null;
  member: Person | null;
  execution: { id: string; name: string };
  createdAt: string;
}

/** A gate as lists and events carry it. */
export interface Gate {
  id: string;
  kind: 'RUN_ENDING' | 'HOLDING';
  status: 'WAITING' | 'APPROVED' | 'REJECTED' | 'CHANGES_REQUESTED' | 'EXPIRED' | 'CANCELLED';
  tool: string;
  summary: string | null;
  mayDecide: boolean;
  owner: Person;
  run: Run;
  createdAt: string;
  timesOutAt: string | null;
  decision: string | null;
  choice: string | null;
  decidedBy: Person | null;
  decidedAt: string | null;
  note: string | null;
  holdsUp: { count: number };
}

export interface Question {
  number: number;
  question: string;
  context: string;
  ctoRecommendation: string;
}

/** A gate with everything that is needed to decide it. */
export interface FullGate extends Gate {
  payload: any;
  payloadHash: string;
  canRequestChanges: boolean;
  choices: { value: string; label: string; note: string | null }[];
  answers: Answer[];
  versions: { number: number; payload: any; editedBy: Person | null }[];
  holdsUp: { count: number; runs: (RunRef & { member: Person | null })[] };
}

export interface Answer {
  number: number;
  kind: 'ACCEPT' | 'ANSWER' | 'EXPLAIN';
  text: string | null;
}

export interface Decision {
  gateId: string;
  payloadHash: string;
  decision: 'APPROVE' | 'REJECT' | 'REQUEST_CHANGES' | 'CHOICE';
  choice?: string;
  note?: string;
  answers?: Answer[];
  editedPayload?: unknown;
}

export interface Move {
  kind: 'RETRY' | 'ROUTE' | 'CLEAR' | 'ESCALATE';
  possible: boolean;
  reason: string | null;
  targets: string[];
}

export interface Blocker {
  run: Run;
  sections: ('FAILED' | 'STOPPED' | 'BLOCKED' | 'STALLED' | 'PAUSED')[];
  reason: string | null;
  blockClass: string | null;
  since: string;
  taskRetries: number;
  lead: Person | null;
  escalation: { to: 'LEAD' | 'CEO'; member: Person | null; person: Person | null; note: string; at: string } | null;
  moves: Move[];
  outcomeUnknown: { id: string; toolCallId: string; tool: string; arguments: any; createdAt: string }[];
}

/** A page of what has stopped. */
export interface BlockersPage {
  stoppedRuns: { nodes: Blocker[]; totalCount: number; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  spendEnabled: boolean;
  draining: boolean;
}

export interface Viewer {
  canDecideGates: boolean;
  person: (Person & { email: string; isCeo: boolean }) | null;
  enterprise: { name: string };
}

/** What the parts of the page ask of each other. */
export interface Page {
  viewer: Viewer;
  /** Whose drafts are kept: the id of the person, or `nobody`. */
  person: string;
  /** Goes to a place of the page, such as `gate/<id>`; `quietly` leaves no step to go back to. */
  go(place: string, quietly?: boolean): void;
  /** Says something that has happened; `quietly` to screen readers alone. */
  say(text: string, quietly?: boolean): void;
}
