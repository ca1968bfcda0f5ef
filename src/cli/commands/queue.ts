import { Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { type QueueOptions, queueSettingsOf, withQueueSettings } from '../options/queue-options.ts'
import { queueColumns } from '../output/queue-columns.ts'
import { queueDetails } from '../output/queue-details.ts'
import { detailLines, type Screen } from '../output/screen.ts'
import { waitingLines } from '../output/waiting-lines.ts'
import type { Io } from '../process/io.ts'
import { NotFound } from '../process/not-found.ts'
import { action } from './action.ts'
import { addGranting } from './queue-grants.ts'
import { addPushing } from './queue-push.ts'

/** `tusk queue`: the lines that tasks wait in. */
export function queueCommand(io: Io): Command {
  const command = new Command('queue').description('See queues, and change their settings')
  addLooking(command, io)
  addSetting(command, io)
  addPausing(command, io)
  addPushing(command, io)
  addGranting(command, io)
  return command
}

function addLooking(command: Command, io: Io): void {
  const list = withEngine(command.command('list'))
    .description(
      'print the queues with their waiting and running tasks and the counts of the last hour',
    )
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.queueStats(db), queueColumns, 'There are no queues yet.')
        }),
      ),
    )
  withExamples(list, ['tusk queue list'], ['tusk queue list -o csv > queues.csv'])
  const show = withEngine(command.command('show <queue>'))
    .description('print one queue with its settings and their sources; * shows the defaults')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, (tusk) => showQueue(tusk, name, screen)),
      ),
    )
  withExamples(show, ['tusk queue show mail'], [`tusk queue show '*'`, 'the defaults of all'])
}

function addSetting(command: Command, io: Io): void {
  const set = withQueueSettings(withEngine(command.command('set <queue>')))
    .description('change its settings, from the next claim on; * sets the defaults')
    .action(
      action<TuskOptions & QueueOptions, [string]>(io, (screen, options, name) => {
        const settings = queueSettingsOf(options)
        return withTusk(options, screen.io, async (tusk) => {
          await asPerson(tusk, (on) => tusk.queues.set(name, settings, { on }))
          screen.say(`Queue ${name} is set.`)
          await showQueue(tusk, name, screen)
        })
      }),
    )
  withExamples(
    set,
    [`tusk queue set mail --max-running 10 --keep-done '1 day'`],
    [`tusk queue set calls --rate 100 --rate-window '1 minute'`],
    ['tusk queue set mail --max-running none', 'lifts the limit'],
  )
}

function addPausing(command: Command, io: Io): void {
  const verbs = [
    ['pause', 'start no more of its tasks; running tasks go on', 'is paused'],
    ['resume', 'start its tasks again', 'is resumed'],
  ] as const
  for (const [verb, description, said] of verbs) {
    const each = withEngine(command.command(`${verb} <queue>`))
      .description(description)
      .action(
        action<TuskOptions, [string]>(io, (screen, options, name) =>
          withTusk(options, screen.io, async (tusk) => {
            await asPerson(tusk, (on) => tusk.queues[verb](name, { on }))
            screen.say(`Queue ${name} ${said}.`)
          }),
        ),
      )
    withExamples(each, [`tusk queue ${verb} mail`])
  }
}

async function showQueue(tusk: Tusk, name: string, screen: Screen): Promise<void> {
  const { verbs, db } = engineOf(tusk)
  const settings = await verbs.queue(db, name)
  const all = await verbs.queueStats(db)
  const stats = all.find(({ queue }) => queue === name)
  if (settings === null && stats === undefined) {
    const known = all.map(({ queue }) => queue)
    throw new NotFound('queue', name, known)
  }
  const waiting = await tusk.queues.explain([name])
  const inForce = await tusk.queues.settings(name)
  const in_force = Object.fromEntries(
    inForce.map(({ setting, value, source }) => [setting, { value, source }]),
  )
  screen.one({ queue: name, ...stats, ...settings, in_force, waiting }, () => [
    ...detailLines(queueDetails(name, settings, stats, inForce)),
    ...waitingLines(waiting, screen),
  ])
}
