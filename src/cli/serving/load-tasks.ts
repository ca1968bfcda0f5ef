import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { TuskError } from '../../lib/errors.ts'
import { redact } from '../../lib/redact.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import { listTasks, type Tasks } from '../../tasks/task-list.ts'
import { moduleFault, moduleHint } from './module-hint.ts'

const shape = 'Export functions by name, or `tasks`: a list of definitions or a map of handlers.'

/** The tasks of a module: its `tasks`, else its default export, else everything it exports. */
export async function loadTasks(path: string): Promise<AnyTask[]> {
  if (!existsSync(path)) {
    throw new TuskError('invalid_argument', `the module ${path} does not exist`, {
      hint: 'Name the file with the handlers, such as: tusk work ./tasks.mjs',
    })
  }
  const { default: ofDefault, tasks, ...named } = await importModule(path)
  const given = tasks ?? ofDefault ?? named
  if (typeof given !== 'object' || given === null) throw unusable(path, 'exports no tasks')
  const found = listTasks(given as Tasks)
  const strange = found.find(({ run, batch }) => !isRunnable(run, batch))
  if (strange !== undefined) throw unusable(path, `has nothing to run for ${strange.name}`)
  if (found.length === 0) throw unusable(path, 'exports no tasks')
  return found
}

function isRunnable(run: unknown, batch: unknown): boolean {
  return typeof run === 'function' || (typeof batch === 'object' && batch !== null)
}

async function importModule(path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    throw unloadable(path, error)
  }
}

function unloadable(path: string, cause: unknown): TuskError {
  const message = `${path} cannot be loaded: ${redact(moduleFault(path, cause))}`
  return new TuskError('invalid_argument', message, { hint: moduleHint(path, cause), cause })
}

function unusable(path: string, what: string): TuskError {
  return new TuskError('invalid_argument', `${path} ${what}`, { hint: shape })
}
