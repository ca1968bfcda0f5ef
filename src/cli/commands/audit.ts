import { Command } from 'commander'
import type { AuditEntry } from '../../engine/auditing.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount, parseId } from '../options/parse-argument.ts'
import type { Column } from '../output/screen.ts'
import { exactly } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface ListOptions extends TuskOptions {
  readonly limit: number
  readonly before?: string
  readonly actor?: string
  readonly action?: string
  readonly object?: string
}

/** `tusk audit`: who did what. */
export function auditCommand(io: Io): Command {
  const command = new Command('audit').description(
    'See what people did, by SQL, client, HTTP or command line',
  )
  const list = withEngine(command.command('list'))
    .description('print what was done, the newest first')
    .option('-n, --limit <count>', 'how many', parseCount, 50)
    .option('--before <id>', 'only older ones: the next page', parseId)
    .option('--actor <name>', 'only actions of this person or token')
    .option('--action <verb>', 'only this action, such as cancel')
    .option('--object <name>', 'only actions on this object, such as "task 42" or "queue mail"')
    .action(
      action<ListOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { limit, before, actor, action: verb, object } = options
          const { verbs, db } = engineOf(tusk)
          const page = { limit, before, actor, action: verb, object }
          const entries = await verbs.auditEntries(db, page)
          screen.list(entries, columns, 'Nothing was done.')
          const last = entries.length < limit ? undefined : entries.at(-1)
          if (last !== undefined) screen.say(`There may be more: --before ${last.id}`)
        }),
      ),
    )
  withExamples(
    list,
    ['tusk audit list'],
    [`tusk audit list --object 'queue mail' -o jsonl`],
    ['tusk audit list --actor ada@desk --action delete'],
  )
  return command
}

const columns: readonly Column<AuditEntry>[] = [
  { name: 'id', of: ({ id }) => id, isNumber: true },
  { name: 'at', of: ({ at }) => exactly(at), isWhole: true },
  { name: 'actor', of: ({ actor }) => actor },
  { name: 'door', of: ({ door }) => door },
  { name: 'action', of: ({ action: verb }) => verb },
  { name: 'object', of: ({ object }) => object },
  { name: 'after', of: ({ after }) => (after === null ? null : JSON.stringify(after)) },
]
