import type { Command } from 'commander'
import type { QueueGrant, QueueRight } from '../../engine/granting.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { type ConfirmOptions, confirm, withConfirmation } from '../options/confirm.ts'
import { withExamples } from '../options/examples.ts'
import type { Column } from '../output/screen.ts'
import { fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

/** `tusk queue grant` and the like: which roles may use which queues. */
export function addGranting(command: Command, io: Io): void {
  addGrant(command, io)
  addRevoke(command, io)
  addOpen(command, io)
  const list = withEngine(command.command('grants'))
    .description('print which roles have which rights on closed queues')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.queueGrants(db), columns, 'No queue has grants: all are open.')
        }),
      ),
    )
  withExamples(list, ['tusk queue grants'])
}

function addGrant(command: Command, io: Io): void {
  const grant = withEngine(command.command('grant <queue> <role> <rights...>'))
    .description(
      'give a role rights: enqueue, consume, operate. The first grant closes the queue to others',
    )
    .action(
      action<TuskOptions, [string, string, QueueRight[]]>(
        io,
        (screen, options, queue, role, rights) =>
          withTusk(options, screen.io, async (tusk) => {
            await asPerson(tusk, (on) => tusk.grants.give(queue, role, rights, { on }))
            screen.say(`Role ${role} may now ${rights.join(', ')} ${queue}.`)
          }),
      ),
    )
  withExamples(
    grant,
    ['tusk queue grant mail shop enqueue'],
    [`tusk queue grant 'acme:*' acme operate`, 'all queues that begin with acme:'],
  )
}

function addRevoke(command: Command, io: Io): void {
  const revoke = withEngine(command.command('revoke <queue> <role> [rights...]'))
    .description('revoke rights of a role, by default all; the queue stays closed')
    .action(
      action<TuskOptions, [string, string, QueueRight[]]>(
        io,
        (screen, options, queue, role, rights) =>
          withTusk(options, screen.io, async (tusk) => {
            const which = rights.length === 0 ? null : rights
            const had = await asPerson(tusk, (on) => tusk.grants.revoke(queue, role, which, { on }))
            screen.say(
              had
                ? `Revoked from ${role} on ${queue}.`
                : `Role ${role} has no such right on ${queue}.`,
            )
          }),
      ),
    )
  withExamples(revoke, ['tusk queue revoke mail shop'], ['tusk queue revoke mail shop enqueue'])
}

function addOpen(command: Command, io: Io): void {
  const open = withConfirmation(withEngine(command.command('open <queue>')))
    .description('remove all grants on a queue, so that every role may use it again')
    .action(
      action<TuskOptions & ConfirmOptions, [string]>(io, (screen, options, queue) =>
        withTusk(options, screen.io, async (tusk) => {
          const deed = `opens ${queue} to every role that may call Tusk`
          if (options.dryRun) {
            const { verbs, db } = engineOf(tusk)
            const grants = await verbs.queueGrants(db)
            screen.list(
              grants.filter((grant) => grant.queue === queue),
              columns,
            )
            screen.say(`Dry run: this ${deed}. Nothing was changed.`)
            return
          }
          await confirm(screen, deed, options)
          const count = await asPerson(tusk, (on) => tusk.grants.open(queue, { on }))
          screen.say(`Removed the grants of ${count} role${count === 1 ? '' : 's'} on ${queue}.`)
        }),
      ),
    )
  withExamples(open, ['tusk queue open mail --yes'])
}

const columns: readonly Column<QueueGrant>[] = [
  { name: 'queue', of: ({ queue }) => queue },
  { name: 'role', of: ({ role, is_known }) => (is_known ? role : `${role} (dropped)`) },
  { name: 'rights', of: ({ rights }) => (rights.length === 0 ? 'none' : rights.join(' ')) },
  { name: 'granted by', of: ({ granted_by }) => granted_by },
  { name: 'granted', of: ({ granted_at }) => fromNow(granted_at) },
]
