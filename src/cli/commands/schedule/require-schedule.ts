import type { Tusk } from '../../../client/tusk.ts'
import { TuskError } from '../../../lib/errors.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type PrintedSchedule, printedSchedule } from '../../output/schedule-lines.ts'

/** The schedule of this name, or a refusal that tells which was probably meant: the engine knows. */
export async function requireSchedule(tusk: Tusk, name: string): Promise<PrintedSchedule> {
  const { verbs, db } = engineOf(tusk)
  const schedule = await verbs.schedule(db, name)
  if (schedule !== null) return printedSchedule(schedule)
  await verbs.previewSchedule(db, name, 1)
  throw new TuskError('schedule_not_found', `there is no schedule '${name}'`)
}
