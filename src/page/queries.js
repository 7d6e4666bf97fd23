const RUN = 'id status attempt reason failureCode outcome task { slug name } member { id name } execution { id name } createdAt';

const GATE = `id kind status tool summary mayDecide owner { id name } run { ${RUN} } createdAt timesOutAt
  decision choice decidedBy { id name } decidedAt note holdsUp { count }`;

const STOPPED = `run { ${RUN} } sections reason blockClass since taskRetries lead { id name }
  escalation { to member { id name } person { id name } note at }
  moves { kind possible reason targets } outcomeUnknown { id toolCallId tool arguments createdAt }`;

export const VIEWER = 'query Viewer { viewer { canDecideGates person { id name email isCeo } enterprise { name } } }';

export const OPEN_GATES = `query OpenGates($after: String, $sort: GateSort) {
  eventCursor
  openGates(first: 100, after: $after, sort: $sort) { nodes { ${GATE} } totalCount pageInfo { hasNextPage endCursor } }
}`;

export const HOLDS_UP = `query HoldsUp { openGates(first: 200) { nodes { id holdsUp { count } } } }`;

export const ONE_GATE = `query OneGate($id: ID!) {
  gate(id: $id) {
    ${GATE} payload payloadHash canRequestChanges choices { value label note } answers { number kind text }
    versions { number payload editedBy { id name } } holdsUp { runs(first: 5) { id task { slug name } member { id name } } }
  }
}`;

export const DECIDE = `mutation Decide($input: DecideGateInput!) { decideGate(input: $input) { ${GATE} } }`;

export const GATE_EVENTS = `subscription GateEvents($after: String) { gateEvents(after: $after) { cursor kind gate { ${GATE} } } }`;

export const BLOCKERS = `query Blockers($after: String) {
  eventCursor
  blockers {
    stoppedRuns(first: 100, after: $after) { nodes { ${STOPPED} } totalCount pageInfo { hasNextPage endCursor } }
    spendEnabled draining
  }
}`;

export const BLOCKER_EVENTS = `subscription BlockerEvents($after: String) {
  blockerEvents(after: $after) { cursor kind runId blocker { ${STOPPED} } }
}`;

/** @type {Record<string, string>} */
export const MOVES = {
  RETRY: 'mutation Retry($input: RetryRunInput!) { retryRun(input: $input) { id } }',
  ROUTE: 'mutation Route($input: RouteRunInput!) { routeRun(input: $input) { id } }',
  CLEAR: 'mutation Clear($input: ClearRunInput!) { clearRun(input: $input) { id } }',
  ESCALATE: 'mutation Escalate($input: EscalateRunInput!) { escalateRun(input: $input) { id } }',
};
