import type { Tusk } from '../client/tusk.ts'
import type { Schedule } from '../engine/schedule.ts'
import { TuskError } from '../lib/errors.ts'

/** The schedule of this name, or a refusal that tells which was probably meant: the engine knows. */
export async function requireSchedule(tusk: Tusk, name: string): Promise<Schedule> {
  const schedule = await tusk.schedule(name)
  if (schedule !== null) return schedule
  await tusk.previewSchedule(name)
  throw new TuskError('schedule_not_found', `there is no schedule '${name}'`)
}
