import { TIMING, type Timing } from '../../src/kernel/kernel.ts';

/** What the service waits for by itself comes at once. Leases keep their lengths: a test that lets one run out shortens it. */
export const SHORT: Timing = { ...TIMING, sweep: 50, eventPoll: 200, credentialCheck: 100, redisPing: 200, drain: 2_000 };
