import type { Command } from 'commander'
import { asPerson } from '../../database/as-person.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { type ConfirmOptions, confirm, withConfirmation } from '../../options/confirm.ts'
import { withExamples } from '../../options/examples.ts'
import { type SettingsOptions, settingsOf, withSettings } from '../../options/schedule-options.ts'
import { scheduleColumns, scheduleLine } from '../../output/schedule-lines.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'
import { requireSchedule } from './require-schedule.ts'

export function addScheduleSteering(schedule: Command, io: Io): void {
  addSet(schedule, io)
  addPausing(schedule, io)
  addRun(schedule, io)
  addDelete(schedule, io)
}

function addSet(schedule: Command, io: Io): void {
  const command = withSettings(withEngine(schedule.command('set <name>')))
    .description('create or change a schedule, and print its next time')
    .action(
      action<TuskOptions & SettingsOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const settings = settingsOf(options)
          const next = await asPerson(tusk, (on) => tusk.schedules.set(name, settings, { on }))
          screen.value(next?.toISOString() ?? '-', { name, next_at: next })
          screen.say(scheduleLine(name, await tusk.schedules.get(name)))
        }),
      ),
    )
  withExamples(
    command,
    [`tusk schedule set report --queue reports --cron '0 9 * * MON-FRI' --zone Europe/Berlin`],
    [`tusk schedule set ping --queue ping --every '30 seconds' --overlap skip`],
  )
}

function addPausing(schedule: Command, io: Io): void {
  const verbs = [
    ['pause', 'run it no more; its times are recorded as skipped', 'is paused'],
    ['resume', 'run it again, from its next time on', 'is resumed'],
  ] as const
  for (const [verb, description, said] of verbs) {
    const command = withEngine(schedule.command(`${verb} <name>`))
      .description(description)
      .action(
        action<TuskOptions, [string]>(io, (screen, options, name) =>
          withTusk(options, screen.io, async (tusk) => {
            await asPerson(tusk, (on) => tusk.schedules[verb](name, { on }))
            screen.say(`Schedule ${name} ${said}.`)
          }),
        ),
      )
    withExamples(command, [`tusk schedule ${verb} report`])
  }
}

function addRun(schedule: Command, io: Io): void {
  const command = withEngine(schedule.command('run <name>'))
    .description('run it now, in addition to its planned times, and print the id of the task')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const id = await asPerson(tusk, (on) => tusk.schedules.run(name, { on }))
          screen.value(id, { name, task: id })
        }),
      ),
    )
  withExamples(command, ['tusk schedule run report'])
}

function addDelete(schedule: Command, io: Io): void {
  const command = withConfirmation(withEngine(schedule.command('delete <name>')))
    .description('delete it with its occurrences; its tasks stay')
    .action(
      action<TuskOptions & ConfirmOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const found = await requireSchedule(tusk, name)
          if (options.dryRun) {
            screen.list([found], scheduleColumns)
            screen.say(`Dry run: this deletes the schedule ${name}. Nothing was changed.`)
            return
          }
          await confirm(screen, `deletes the schedule ${name}`, options)
          await asPerson(tusk, (on) => tusk.schedules.delete(name, { on }))
          screen.say(`Schedule ${name} is deleted.`)
        }),
      ),
    )
  withExamples(
    command,
    ['tusk schedule delete report --dry-run'],
    ['tusk schedule delete report --yes'],
  )
}
