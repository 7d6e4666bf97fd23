import { builder } from './builder.ts';

const said = (description: string) => ({ description });

export const ToolCallStatus = builder.enumType('ToolCallStatus', {
  description: 'Where a tool call stands.',
  values: {
    EXECUTING: said('It is being done.'),
    WAITING: said('A gate holds it until somebody decides.'),
    SUCCEEDED: said('It was done, and has a result.'),
    HANDED_BACK: said('It was refused before anything happened: the model may try again.'),
    TOOL_ERROR: said('It ended with an error that is its answer; the run goes on.'),
    RUN_FAILED: said('It was refused so that the run failed.'),
    OUTCOME_UNKNOWN: said('It was interrupted and may have happened: look before you repeat it.'),
  },
});

export const ToolHandling = builder.enumType('ToolHandling', {
  description: 'What becomes of a call that failed.',
  values: {
    HAND_BACK: said('Nothing happened, and the model may try again.'),
    TOOL_ERROR: said('The error is the call’s answer, and the run goes on.'),
    FAIL: said('The run ends as failed.'),
  },
});

export const GateKind = builder.enumType('GateKind', {
  description: 'What a decision does.',
  values: { RUN_ENDING: said('The decision ends the run.'), HOLDING: said('Approved, the call is done and the run goes on.') },
});

export const GateStatus = builder.enumType('GateStatus', {
  description: 'Where a gate stands.',
  values: {
    WAITING: said('Nobody has decided yet.'),
    APPROVED: said('A person approved, or took a choice that goes on.'),
    REJECTED: said('A person rejected, or took a choice that leaves it.'),
    CHANGES_REQUESTED: said('A person sent the call back.'),
    EXPIRED: said('Its time ran out.'),
    CANCELLED: said('Its run ended meanwhile.'),
  },
});

export const GateDecision = builder.enumType('GateDecision', {
  description: 'What a person can decide.',
  values: {
    APPROVE: said('Do it, with exactly this payload.'),
    REJECT: said('Do not do it.'),
    REQUEST_CHANGES: said('Send it back with a note; the model may call again.'),
    CHOICE: said('Take one of the gate’s choices, named in `choice`.'),
  },
});

export const GateSort = builder.enumType('GateSort', {
  description: 'The order of waiting gates.',
  values: { OLDEST: said('Longest waiting first.'), COST_OF_DELAY: said('Those that hold up most runs first, then the oldest.') },
});

export const GateAnswerKind = builder.enumType('GateAnswerKind', {
  description: 'How a question was answered.',
  values: {
    ACCEPT: said('The recommendation is accepted.'),
    ANSWER: said('Answered in the decider’s own words.'),
    EXPLAIN: said('The decider wants to know more.'),
  },
});

export const RunStatus = builder.enumType('RunStatus', {
  description: 'Where a run stands.',
  values: {
    PENDING: said('Its task or its member is busy.'),
    QUEUED: said('The next worker may claim it.'),
    RUNNING: said('A worker drives it.'),
    WAITING: said('It waits for a gate.'),
    BLOCKED: said('The agent said that it cannot go on.'),
    PAUSED: said('Spending is off, or it spent more than its task allows.'),
    FINISHED: said('It ended with an outcome.'),
    FAILED: said('It ended with a failure code.'),
    CANCELLED: said('It was cancelled.'),
  },
});

export const GateEventKind = builder.enumType('GateEventKind', {
  description: 'What happened to a gate.',
  values: {
    OPENED: said('A call began to wait.'),
    EDITED: said('A person changed the payload; DECIDED follows at once.'),
    DECIDED: said('A person decided.'),
    EXPIRED: said('Its time ran out.'),
    CANCELLED: said('Its run ended meanwhile.'),
  },
});

export const RunEventKind = builder.enumType('RunEventKind', {
  description: 'What happened to a run.',
  values: {
    QUEUED: said('It may be claimed.'),
    CLAIMED: said('A worker took it.'),
    WAITING: said('It waits for a gate.'),
    DECIDED: said('Its gate ended in whatever way, or the result of a call after its gate was recorded.'),
    STALLED: said('Its lease ran out.'),
    BLOCKED: said('The agent said that it cannot go on.'),
    PAUSED: said('Spending is off, or it spent more than its task allows.'),
    FINISHED: said('It ended with an outcome.'),
    FAILED: said('It ended with a failure code.'),
    CANCELLED: said('It was cancelled.'),
    LABELLED: said('Its execution was named or got a link, or its gate summary was set.'),
  },
});

export const CredentialKind = builder.enumType('CredentialKind', {
  description: 'What a credential is.',
  values: {
    RUN: said('The token of one run.'),
    API_TOKEN: said('A token with scopes that a person granted.'),
    SESSION: said('A person in the portal.'),
    CHAT: said('The CEO’s chat agent.'),
  },
});
