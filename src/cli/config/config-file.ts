import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TuskError } from '../../lib/errors.ts'
import { jsonFaultInWords } from '../../lib/json-fault.ts'
import { redact } from '../../lib/redact.ts'

/** A configuration as it was written. */
export interface ConfigFile {
  readonly path: string
  readonly content: unknown
}

const fileNames = ['tusk.config.json', 'tusk.config.mjs'] as const

/** The file that is named, else the nearest one from `cwd` upward; undefined when there is none. */
export async function readConfigFile(
  named: string | undefined,
  cwd: string,
): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findUpward(cwd) : resolve(cwd, named)
  if (path === undefined) return undefined
  if (!existsSync(path)) {
    throw new TuskError('invalid_argument', `the configuration file ${path} does not exist`, {
      hint: 'Correct --config or TUSK_CONFIG, or leave both out.',
    })
  }
  return { path, content: extname(path) === '.mjs' ? await importModule(path) : readJson(path) }
}

function findUpward(directory: string): string | undefined {
  const found = fileNames.map((name) => join(directory, name)).filter((path) => existsSync(path))
  if (found.length > 1) {
    throw new TuskError('invalid_argument', `${found.join(' and ')} both configure Tusk`, {
      hint: 'Keep one of them, or name one with --config.',
    })
  }
  const above = dirname(directory)
  return found[0] ?? (above === directory ? undefined : findUpward(above))
}

function readJson(path: string): unknown {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
    return JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof SyntaxError ? new Error(jsonFaultInWords(text)) : cause
    throw unreadable(path, why, 'Write it as JSON, without comments and trailing commas.')
  }
}

async function importModule(path: string): Promise<unknown> {
  try {
    const { default: content } = (await import(pathToFileURL(path).href)) as { default?: unknown }
    if (content !== undefined) return content
  } catch (cause) {
    throw unreadable(path, cause, 'Run it with node to see the whole error.')
  }
  throw new TuskError('invalid_argument', `${path} has no default export`, {
    hint: 'Write: export default { database: { schema: "tusk" } }',
  })
}

function unreadable(path: string, cause: unknown, hint: string): TuskError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new TuskError('invalid_argument', `${path} cannot be read: ${redact(why)}`, {
    hint,
    cause,
  })
}
