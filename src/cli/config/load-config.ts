import { resolve } from 'node:path'
import { TuskError } from '../../lib/errors.ts'
import { redact } from '../../lib/redact.ts'
import type { Io } from '../process/io.ts'
import { Config, type Resolved } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { readFileSettings } from './read-file-settings.ts'
import { mustBe, type SettingName, settingNamed, settingNames } from './setting.ts'

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
  const setting = settingNamed(name)
  const { flag, schema, isSecret } = setting
  if (value === undefined || flag === undefined) return undefined
  const { success, data, error } = schema.safeParse(value)
  if (success) return { value: data, source: { from: 'flag', name: flag } }
  throw new TuskError('invalid_argument', `${flag} ${mustBe(setting, error)}`, {
    hint: isSecret ? 'Correct it, or leave it out.' : `It was ${redact(JSON.stringify(value))}.`,
  })
}

/** An empty variable is as good as none. */
function ofEnvironment(
  name: SettingName,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Resolved | undefined {
  const setting = settingNamed(name)
  const { env: variable, schema, read, isPath } = setting
  const text = variable === undefined ? '' : (env[variable] ?? '')
  if (variable === undefined || text === '') return undefined
  const { success, data, error } = schema.safeParse(read(text))
  if (success) {
    const value = isPath ? resolve(cwd, String(data)) : data
    return { value, source: { from: 'env', name: variable } }
  }
  const message = `the environment variable ${variable} ${mustBe(setting, error)}`
  throw new TuskError('invalid_argument', message, { hint: 'Correct it, or unset it.' })
}
