import { type Command, InvalidArgumentError } from 'commander'
import type { PushInfo, SecretPlace } from '../../engine/pushing.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import type { Column } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface PushOptions extends TuskOptions {
  readonly url?: string
  readonly secret?: readonly SecretPlace[]
  readonly timeout?: string
  readonly off?: true
}

/** `tusk queue push` and `pushes`: queues whose tasks are delivered to an endpoint. */
export function addPushing(command: Command, io: Io): void {
  const list = withEngine(command.command('pushes'))
    .description('print the queues whose tasks are delivered to an endpoint')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.pushes(db), columns, 'No queue has an endpoint.')
        }),
      ),
    )
  withExamples(list, ['tusk queue pushes'])

  const push = withEngine(command.command('push <queue>'))
    .description('deliver the tasks of a queue to an endpoint; tusk work --push does it')
    .option('--url <url>', 'the endpoint, such as https://example.org/tasks')
    .option(
      '--secret <place>',
      'where workers find a secret: env:NAME, file:PATH or callback:NAME; the newest first',
      addPlace,
    )
    .option('--timeout <interval>', 'how long an answer may take (default: 30 seconds)')
    .option('--off', 'stop delivering them')
    .action(
      action<PushOptions, [string]>(io, (screen, options, queue) =>
        withTusk(options, screen.io, async (tusk) => {
          const given = options.off ? null : endpointOf(options)
          await asPerson(tusk, (on) => tusk.queues.setPush(queue, given, { on }))
          screen.say(given === null ? `Queue ${queue} is not pushed.` : `Queue ${queue} is pushed.`)
        }),
      ),
    )
  withExamples(
    push,
    ['tusk queue push mail --url https://example.org/tasks --secret env:TUSK_SECRET_PUSH'],
    ['tusk queue push mail --off'],
  )
}

function endpointOf({ url, secret, timeout }: PushOptions) {
  if (url !== undefined && secret !== undefined) return { url, secrets: secret, timeout }
  throw new TuskError('invalid_argument', 'an endpoint needs --url and --secret', {
    hint: 'Name where workers find the secret, such as --secret env:TUSK_SECRET_PUSH; or use --off.',
  })
}

function addPlace(text: string, before: readonly SecretPlace[] = []): SecretPlace[] {
  const [, kind = '', name = ''] = /^(env|file|callback):(.+)$/.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('Write env:NAME, file:PATH or callback:NAME.')
  return [...before, { [kind]: name } as unknown as SecretPlace]
}

const columns: readonly Column<PushInfo>[] = [
  { name: 'queue', of: ({ queue }) => queue },
  { name: 'url', of: ({ url }) => url },
  {
    name: 'secrets',
    of: ({ secrets }) =>
      secrets.map((place) => Object.entries(place).join(':').replaceAll(',', ':')).join(', '),
  },
  { name: 'timeout', of: ({ timeout }) => timeout },
  { name: 'by', of: ({ set_by }) => set_by },
]
