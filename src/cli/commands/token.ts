import { Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import type { Token } from '../../engine/tokens.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { type ConfirmOptions, confirm, withConfirmation } from '../options/confirm.ts'
import { withExamples } from '../options/examples.ts'
import { collectValues, countUpTo, parseId, parseTime } from '../options/parse-argument.ts'
import type { Column, Screen } from '../output/screen.ts'
import { fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface CreateOptions extends TuskOptions {
  readonly scope: readonly string[]
  readonly expiresAt?: Date
  readonly expiresIn?: number
}

/** More would not be a time that Postgres knows. */
const mostDays = 1_000_000

/** `tusk token`: who may come in over HTTP. */
export function tokenCommand(io: Io): Command {
  const command = new Command('token').description(
    'Manage the tokens of people and programs that use the HTTP API',
  )
  addCreate(command, io)
  addList(command, io)
  addRevoke(command, io)
  return command
}

function addCreate(command: Command, io: Io): void {
  const create = withEngine(command.command('create <name>'))
    .description('create a token and print it; it cannot be shown again')
    .requiredOption(
      '--scope <scope>',
      'read, enqueue, enqueue:<queue>, consume, consume:<queue>, sql, operate or admin; may be repeated',
      collectValues,
    )
    .option('--expires-at <time>', 'valid until then (default: until it is revoked)', parseTime)
    .option('--expires-in <days>', 'valid for so many days', countUpTo(mostDays))
    .action(
      action<CreateOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const scopes = options.scope
          const expiresAt = expiryOf(options)
          const made = await asPerson(tusk, (on) =>
            tusk.tokens.create({ name, scopes, expiresAt }, { on }),
          )
          screen.value(made.token, { ...made, name, scopes, expires_at: expiresAt })
          screen.say(`Token ${made.id} created. Store it safely: it is not shown again.`)
        }),
      ),
    )
  withExamples(
    create,
    [`tusk token create 'web shop' --scope enqueue:mail --scope read --expires-in 90`],
    ['tusk token create ada --scope operate --expires-at 2027-01-01'],
  )
}

function expiryOf({ expiresAt, expiresIn }: CreateOptions): Date | null {
  if (expiresIn === undefined) return expiresAt ?? null
  if (expiresAt !== undefined) {
    throw new TuskError('invalid_argument', '--expires-at and --expires-in contradict each other', {
      hint: 'Give one of them, not both.',
    })
  }
  return new Date(Date.now() + expiresIn * 86_400_000)
}

function addList(command: Command, io: Io): void {
  const list = withEngine(command.command('list'))
    .description('print all tokens, without their secrets')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.listTokens(db), columns, 'There are no tokens.')
        }),
      ),
    )
  withExamples(list, ['tusk token list'])
}

interface RevokeOptions extends TuskOptions, ConfirmOptions {
  readonly keepSchedules?: boolean
}

function addRevoke(command: Command, io: Io): void {
  const revoke = withConfirmation(withEngine(command.command('revoke')))
    .description('revoke a token within 5 seconds, and pause the schedules set with it')
    .argument('<id>', 'the token, as token list shows it', parseId)
    .option('--keep-schedules', 'do not pause the schedules that were set with it')
    .action(
      action<RevokeOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, (tusk) => revokeToken(tusk, screen, options, id)),
      ),
    )
  withExamples(revoke, ['tusk token revoke 7 --yes'], ['tusk token revoke 7 --keep-schedules'])
}

async function revokeToken(
  tusk: Tusk,
  screen: Screen,
  options: RevokeOptions,
  id: string,
): Promise<void> {
  const { keepSchedules = false } = options
  const deed = `locks out programs that use token ${id}${keepSchedules ? '' : ' and pauses the schedules set with it'}`
  if (options.dryRun) {
    const { verbs, db } = engineOf(tusk)
    const tokens = await verbs.listTokens(db)
    screen.list(
      tokens.filter((token) => token.id === id),
      columns,
    )
    screen.say(`Dry run: this ${deed}. Nothing was changed.`)
    return
  }
  await confirm(screen, deed, options)
  const paused = await asPerson(tusk, (on) => tusk.tokens.revoke(id, { on, keepSchedules }))
  screen.say(`Token ${id} is revoked.`)
  if (paused > 0) screen.say(`Schedules set with it that are paused now: ${paused}`)
}

const columns: readonly Column<Token>[] = [
  { name: 'id', of: ({ id }) => id, isNumber: true },
  { name: 'name', of: ({ name }) => name },
  { name: 'begins with', of: ({ prefix }) => `tusk_${prefix}_`, isWhole: true },
  { name: 'scopes', of: ({ scopes }) => scopes.join(' ') },
  {
    name: 'state',
    of: ({ state }) => state,
    style: ({ state }) => (state === 'alive' ? 'green' : 'dim'),
  },
  { name: 'made', of: ({ created_at }) => fromNow(created_at) },
  { name: 'expires', of: ({ expires_at }) => fromNow(expires_at) ?? 'never' },
  { name: 'last used', of: ({ last_used_at }) => fromNow(last_used_at) ?? 'never' },
]
