import type { Property } from './harness/property.ts';
import * as p1 from './p01-one-effect.ts';
import * as p2 from './p02-reused-id.ts';
import * as p3 from './p03-retry-classes.ts';
import * as p4 from './p04-killed-calls.ts';
import * as p5 from './p05-replays.ts';
import * as p6 from './p06-fencing.ts';
import * as p7 from './p07-unknown-names.ts';
import * as p9 from './p09-one-decision.ts';
import * as p10 from './p10-killed-deciders.ts';
import * as p11 from './p11-shown-is-run.ts';
import * as p12 from './p12-deadline.ts';
import * as p13 from './p13-every-end-wakes.ts';
import * as p14 from './p14-no-orphans.ts';
import * as p15 from './p15-spent-once.ts';
import * as p16 from './p16-nobody-approves-itself.ts';
import * as p18 from './p18-redis-killed.ts';
import * as p19 from './p19-redis-frozen.ts';
import * as p20 from './p20-stalled-reader.ts';
import * as p21 from './p21-churn.ts';
import * as p22 from './p22-ended-credentials.ts';
import * as p23 from './p23-socket-codes.ts';
import * as p24 from './p24-draining.ts';
import * as p25 from './p25-foreign-ids.ts';
import * as p26 from './p26-tenants.ts';
import * as p30 from './p30-abuse.ts';
import * as p31 from './p31-edges.ts';
import * as p32 from './p32-unicode.ts';
import * as p33 from './p33-prototypes.ts';
import * as p41 from './p41-event-loop.ts';
import * as p42 from './p42-neighbours.ts';
import * as p43 from './p43-switches.ts';
import * as p44 from './p44-every-tool-answers.ts';
import * as p45 from './p45-failing-statements.ts';
import * as p46 from './p46-hands.ts';
import * as p48 from './p48-nothing-told-is-lost.ts';
import * as p49 from './p49-starts.ts';
import * as p50 from './p50-frozen-neighbours.ts';

/** Every property, in its order. */
export const PROPERTIES: Property[] = [
  p1,
  p2,
  p3,
  p4,
  p5,
  p6,
  p7,
  p9,
  p10,
  p11,
  p12,
  p13,
  p14,
  p15,
  p16,
  p18,
  p19,
  p20,
  p21,
  p22,
  p23,
  p24,
  p25,
  p26,
  p30,
  p31,
  p32,
  p33,
  p41,
  p42,
  p43,
  p44,
  p45,
  p46,
  p48,
  p49,
  p50,
];
