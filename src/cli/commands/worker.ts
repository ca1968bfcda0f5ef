import { Command } from 'commander'
import type { WorkerInfo } from '../../engine/measuring.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import type { Column } from '../output/screen.ts'
import { fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { NotFound } from '../process/not-found.ts'
import { action } from './action.ts'

/** `tusk worker`: the processes that run tasks. */
export function workerCommand(io: Io): Command {
  const command = new Command('worker').description('See the workers, and ask them to stop')
  const list = withEngine(command.command('list'))
    .description('print the workers, and how many tasks each holds')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.workers(db), columns, 'No worker is there; tusk work starts one.')
        }),
      ),
    )
  withExamples(list, ['tusk worker list'])
  const drain = withEngine(command.command('drain <worker>'))
    .description(
      'have one take nothing more, and stop when it is done; the start of its id will do',
    )
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const id = whichOf(await tusk.workers.list(), name)
          await asPerson(tusk, (on) => tusk.workers.drain(id, { on }))
          screen.say(`Worker ${id} claims no more tasks.`)
        }),
      ),
    )
  withExamples(drain, ['tusk worker drain 0198c2f4'])
  return command
}

function whichOf(workers: readonly { readonly id: string }[], name: string): string {
  const ids = workers.map(({ id }) => id)
  if (ids.includes(name)) return name
  // Every id begins with nothing, which is what a variable of a script holds that was never set.
  const found = name === '' ? [] : ids.filter((id) => id.startsWith(name))
  const [only, ...others] = found
  if (only === undefined) throw new NotFound('worker', name, ids)
  if (others.length === 0) return only
  throw new TuskError('invalid_argument', `the ids of ${found.length} workers begin with ${name}`, {
    hint: 'Give more characters of the id. tusk worker list shows all.',
  })
}

const columns: readonly Column<WorkerInfo>[] = [
  { name: 'worker', of: ({ id }) => id },
  {
    name: 'state',
    of: stateOf,
    style: ({ draining_at }) => (draining_at === null ? undefined : 'yellow'),
  },
  { name: 'host', of: ({ host }) => host },
  { name: 'pid', of: ({ pid }) => pid ?? 'http', isNumber: true },
  { name: 'tasks', of: ({ tasks, slots }) => `${tasks}/${slots}`, isNumber: true },
  { name: 'queues', of: ({ queues }) => queues.join(', ') },
  { name: 'started', of: ({ started_at }) => fromNow(started_at) },
  { name: 'heard of', of: ({ beat_at }) => fromNow(beat_at) },
  { name: 'version', of: ({ version }) => version },
]

function stateOf({ draining_at, asleep }: WorkerInfo): string {
  if (draining_at !== null) return 'draining'
  return asleep ? 'asleep' : 'awake'
}
