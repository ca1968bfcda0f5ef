import { comingBack } from './again.ts'
import { claiming } from './claim.ts'
import { durable } from './durable.ts'
import { ending } from './end.ts'
import { endingParts } from './end-parts.ts'
import { families } from './families.ts'
import { generated } from './generate.ts'
import type { Mutant } from './mutant.ts'
import { packs } from './packs.ts'
import { rules } from './rules.ts'
import { storing } from './store.ts'
import { storingParts } from './store-parts.ts'
import { verbs } from './verbs.ts'

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  ...generated,
  ...storing,
  ...storingParts,
  ...rules,
  ...claiming,
  ...ending,
  ...endingParts,
  ...comingBack,
  ...verbs,
  ...packs,
  ...durable,
  ...families,
]
