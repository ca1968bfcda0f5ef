import { resolve } from 'node:path'
import { TuskError } from '../../lib/errors.ts'
import type { Io } from '../io.ts'
import { Config, type Resolved } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { readFileSettings } from './read-file-settings.ts'
import { type SettingName, settingNamed, settingNames } from './setting.ts'

/** What was said on the command line: values by setting, and the file to read. */
export interface GivenFlags {
  readonly config?: string | undefined
  readonly values: ReadonlyMap<SettingName, unknown>
}

/** Flags win over the environment, the environment over the file, the file over the defaults. */
export async function loadConfig(flags: GivenFlags, io: Pick<Io, 'env' | 'cwd'>): Promise<Config> {
  const cwd = io.cwd ?? process.cwd()
  const file = await readConfigFile(flags.config ?? (io.env['TUSK_CONFIG'] || undefined), cwd)
  const ofFile = file === undefined ? new Map() : readFileSettings(file)
  const resolved = new Map<SettingName, Resolved>()
  for (const name of settingNames) {
    const found =
      ofFlag(name, flags.values) ??
      ofEnvironment(name, io.env, cwd) ??
      (ofFile.has(name) && file !== undefined
        ? { value: ofFile.get(name) as unknown, source: { from: 'file', name: file.path } as const }
        : undefined)
    if (found !== undefined) resolved.set(name, found)
  }
  return new Config(file?.path, resolved)
}

function ofFlag(
  name: SettingName,
  values: ReadonlyMap<SettingName, unknown>,
): Resolved | undefined {
  const value = values.get(name)
  const { flag, schema, shape } = settingNamed(name)
  if (value === undefined || flag === undefined) return undefined
  const { success, data } = schema.safeParse(value)
  if (success) return { value: data, source: { from: 'flag', name: flag } }
  throw new TuskError('invalid_argument', `${flag} must be ${shape}`, {
    hint: `It was ${JSON.stringify(value)}.`,
  })
}

/** An empty variable is as good as none. */
function ofEnvironment(
  name: SettingName,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Resolved | undefined {
  const { env: variable, schema, shape, read, isPath } = settingNamed(name)
  const text = variable === undefined ? '' : (env[variable] ?? '')
  if (variable === undefined || text === '') return undefined
  const { success, data } = schema.safeParse(read(text))
  if (success) {
    const value = isPath ? resolve(cwd, String(data)) : data
    return { value, source: { from: 'env', name: variable } }
  }
  throw new TuskError('invalid_argument', `the environment variable ${variable} must be ${shape}`, {
    hint: `Correct it, or unset it.`,
  })
}
