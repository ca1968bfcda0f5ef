import type { Command } from 'commander'
import { action } from '../../action.ts'
import { asPerson } from '../../as-person.ts'
import { type ConfirmOptions, confirm, withConfirmation } from '../../confirm.ts'
import { withExamples } from '../../examples.ts'
import type { Io } from '../../io.ts'
import { requireSchedule } from '../../require-schedule.ts'
import { scheduleColumns } from '../../schedule-lines.ts'
import { type SettingsOptions, settingsOf, withSettings } from '../../schedule-options.ts'
import { type TuskOptions, withEngine, withTusk } from '../../with-tusk.ts'

export function addScheduleSteering(schedule: Command, io: Io): void {
  addSet(schedule, io)
  addPausing(schedule, io)
  addRun(schedule, io)
  addDelete(schedule, io)
}

function addSet(schedule: Command, io: Io): void {
  const command = withSettings(withEngine(schedule.command('set <name>')))
    .description('make one or change what is given, and print its next time')
    .action(
      action<TuskOptions & SettingsOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const settings = settingsOf(options)
          const next = await asPerson(tusk, (on) => tusk.setSchedule(name, settings, { on }))
          screen.value(next?.toISOString() ?? '-', { name, next_at: next })
          screen.say(`Schedule ${name}: ${(await tusk.schedule(name))?.words ?? ''}`)
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
    ['pause', 'fire nothing more of it', 'is paused', 'pauseSchedule'],
    ['resume', 'fire it again, from its next time on', 'goes on', 'resumeSchedule'],
  ] as const
  for (const [verb, description, said, method] of verbs) {
    const command = withEngine(schedule.command(`${verb} <name>`))
      .description(description)
      .action(
        action<TuskOptions, [string]>(io, (screen, options, name) =>
          withTusk(options, screen.io, async (tusk) => {
            await asPerson(tusk, (on) => tusk[method](name, { on }))
            screen.say(`Schedule ${name} ${said}.`)
          }),
        ),
      )
    withExamples(command, [`tusk schedule ${verb} report`])
  }
}

function addRun(schedule: Command, io: Io): void {
  const command = withEngine(schedule.command('run <name>'))
    .description('fire it now, besides its planned times, and print the id of the task')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const id = await asPerson(tusk, (on) => tusk.runSchedule(name, { on }))
          screen.value(id, { name, task: id })
        }),
      ),
    )
  withExamples(command, ['tusk schedule run report'])
}

function addDelete(schedule: Command, io: Io): void {
  const command = withConfirmation(withEngine(schedule.command('delete <name>')))
    .description('remove it with its occurrences; its tasks stay')
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
          await asPerson(tusk, (on) => tusk.deleteSchedule(name, { on }))
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
