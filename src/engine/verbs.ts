import pg from 'pg'
import { requireSchemaName } from '../db/schema-name.ts'
import { auditing } from './auditing.ts'
import { bulk } from './bulk.ts'
import { claimingBatches } from './claim-batch.ts'
import { claiming } from './claiming.ts'
import { durable, durableDoors } from './durable.ts'
import { enqueuing } from './enqueuing.ts'
import { explaining } from './explaining.ts'
import { following } from './following.ts'
import { granting } from './granting.ts'
import { keepingHouse } from './keeping-house.ts'
import { leading } from './leading.ts'
import { listing } from './listing.ts'
import { looking } from './looking.ts'
import { measuring } from './measuring.ts'
import { operating } from './operating.ts'
import { outcomes } from './outcomes.ts'
import { pushing } from './pushing.ts'
import { queueSettings } from './queue-settings.ts'
import { registering } from './registering.ts'
import { reporting } from './reporting.ts'
import { requests } from './requests.ts'
import { runningSql } from './running-sql.ts'
import { scheduling } from './scheduling.ts'
import { sessions } from './sessions.ts'
import { texts } from './texts.ts'
import { tokens } from './tokens.ts'
import { working } from './working.ts'

export type Verbs = ReturnType<typeof openEngine>

/**
 * The verbs of the engine in one schema. The first argument of each is what it runs on: a pool, or the caller's
 * transaction. Every call names the schema, because the caller's search path may be different.
 */
export function openEngine(options: { readonly schema: string }) {
  const schema = pg.escapeIdentifier(requireSchemaName(options.schema))
  return {
    // biome-ignore lint/nursery/noMisusedPromises: an object of functions; the rule takes it for what they return.
    ...enqueuing(schema),
    // biome-ignore lint/nursery/noMisusedPromises: an object of functions; the rule takes it for what they return.
    ...claiming(schema),
    // biome-ignore lint/nursery/noMisusedPromises: as above.
    ...outcomes(schema),
    ...operating(schema),
    ...texts(schema),
    ...looking(schema),
    ...explaining(schema),
    ...listing(schema),
    ...measuring(schema),
    ...queueSettings(schema),
    ...pushing(schema),
    ...granting(schema),
    ...following(schema),
    ...keepingHouse(schema),
    ...leading(schema),
    ...claimingBatches(schema),
    ...working(schema),
    ...registering(schema),
    ...reporting(schema),
    ...scheduling(schema),
    ...runningSql(schema),
    ...tokens(schema),
    ...sessions(schema),
    ...requests(schema),
    ...bulk(schema),
    ...auditing(schema),
    ...durable(schema),
    ...durableDoors(schema),
  }
}
