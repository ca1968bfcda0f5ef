import type { Scenario } from '../scenario.ts'
import { again } from './again.ts'
import { bringingBack } from './bringing-back.ts'
import { claiming } from './claiming.ts'
import { claimingQueues } from './claiming-queues.ts'
import { dialects } from './dialects.ts'
import { durable } from './durable.ts'
import { ending } from './ending.ts'
import { endingMany } from './ending-many.ts'
import { endingRest } from './ending-rest.ts'
import { families } from './families.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { lines } from './lines.ts'
import { packs } from './packs.ts'
import { rescuing } from './rescuing.ts'
import { sources } from './sources.ts'
import { storing } from './storing.ts'
import { storingMany } from './storing-many.ts'

/** Every scenario, in the order in which a task lives. */
export const scenarios: readonly Scenario[] = [
  ...storing,
  ...storingMany,
  ...keys,
  ...claiming,
  ...claimingQueues,
  ...limits,
  ...lines,
  ...again,
  ...ending,
  ...endingMany,
  ...endingRest,
  ...packs,
  ...rescuing,
  ...bringingBack,
  ...durable,
  ...families,
  ...sources,
  ...dialects,
]
