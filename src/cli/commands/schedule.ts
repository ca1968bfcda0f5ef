import { Command } from 'commander'
import type { Io } from '../process/io.ts'
import { addScheduleApply } from './schedule/apply.ts'
import { addScheduleBackfill } from './schedule/backfill.ts'
import { addScheduleLooking } from './schedule/looking.ts'
import { addScheduleSteering } from './schedule/steering.ts'

/** `tusk schedule`: plans that make tasks. */
export function scheduleCommand(io: Io): Command {
  const command = new Command('schedule').description('Plan tasks by cron, interval or time')
  addScheduleLooking(command, io)
  addScheduleApply(command, io)
  addScheduleSteering(command, io)
  addScheduleBackfill(command, io)
  return command
}
