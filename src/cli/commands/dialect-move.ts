import { adoptFetchq } from '../../dialects/fetchq/adopt-original.ts'
import { releaseFetchq } from '../../dialects/fetchq/release-original.ts'
import { fetchq } from '../../dialects/fetchq.ts'
import { adoptTaskTable } from '../../dialects/pg-task/adopt-table.ts'
import { releaseTaskTable } from '../../dialects/pg-task/release-table.ts'
import { pgTask } from '../../dialects/pg-task.ts'
import { TuskError } from '../../lib/errors.ts'
import type { Screen } from '../output/screen.ts'

export interface MoveOptions {
  readonly dialectSchema?: string
  readonly schema?: string
  readonly table?: string
  readonly adopt?: boolean
  readonly undo?: boolean
  readonly dryRun?: boolean
}

/** `--adopt` and `--undo`: takes over an installation of the original, or gives it back. */
export async function moveOriginal(
  name: string,
  url: string,
  options: MoveOptions,
  screen: Screen,
): Promise<void> {
  const { undo = false, dryRun = false } = options
  const engineSchema = options.schema ?? (screen.io.env['TUSK_SCHEMA'] || undefined)
  const mover = name === pgTask.name ? tableMover(url, options) : fetchqMover(url)
  if (undo) {
    await mover.release()
    screen.say(mover.released)
    return
  }
  for (const step of await mover.adopt(engineSchema, dryRun)) screen.say(step)
  screen.say(dryRun ? 'Nothing was changed.' : mover.adopted)
}

interface Mover {
  adopt(engineSchema: string | undefined, dryRun: boolean): Promise<string[]>
  release(): Promise<void>
  readonly adopted: string
  readonly released: string
}

function tableMover(
  url: string,
  { table: name = 'public.task', dialectSchema }: MoveOptions,
): Mover {
  const table = { ...tableNamed(name), dialectSchema }
  return {
    adopt: (engineSchema, dryRun) => adoptTaskTable(url, { ...table, engineSchema, dryRun }),
    release: () => releaseTaskTable(url, table),
    adopted: `${name} is a task table now.`,
    released: `${name} is an ordinary table again.`,
  }
}

function fetchqMover(url: string): Mover {
  return {
    adopt: (engineSchema, dryRun) => adoptFetchq(url, { engineSchema, dryRun }),
    release: () => releaseFetchq(url),
    adopted: 'The schema fetchq is that of Tusk now.',
    released: 'The schema fetchq is that of Fetchq again.',
  }
}

/** Refuses options that mean nothing for this dialect, or together. */
export function checkOptions(name: string, options: MoveOptions): void {
  const { table, adopt, undo, dryRun, dialectSchema } = options
  if (table !== undefined && name !== pgTask.name) {
    throw invalid(`--table is for ${pgTask.name}`, `Leave it out: ${name} has no task tables.`)
  }
  const moves = { '--adopt': adopt, '--undo': undo, '--dry-run': dryRun }
  const [option] = Object.entries(moves).find(([, value]) => value !== undefined) ?? []
  if (option === undefined) return
  if (name !== pgTask.name && name !== fetchq.name) {
    const hint = `Leave it out: ${name} keeps nothing that could be taken over.`
    throw invalid(`${option} is for ${fetchq.name} and ${pgTask.name}`, hint)
  }
  if (name === fetchq.name && (dialectSchema ?? fetchq.schema) !== fetchq.schema) {
    const hint = 'Leave --dialect-schema out: the dialect takes the place of the original.'
    throw invalid(`${option} is for the schema ${fetchq.schema}`, hint)
  }
  checkTogether(options)
}

function checkTogether({ adopt = false, undo = false, dryRun = false }: MoveOptions): void {
  if (adopt && undo)
    throw invalid('--adopt and --undo cannot be given together', 'Give one of them.')
  if (dryRun && !adopt) throw invalid('--dry-run is for --adopt', 'Write --adopt --dry-run.')
}

export function tableNamed(name: string): { schema: string | undefined; table: string } {
  const [table = '', schema, ...rest] = name.split('.').reverse()
  if (rest.length > 0) {
    const hint = 'Write schema.table; for names with dots in them call create_task_table() in SQL.'
    throw invalid(`${name} is not the name of a task table`, hint)
  }
  return { schema, table }
}

function invalid(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}
