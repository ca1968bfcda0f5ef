import { dirname, resolve } from 'node:path'
import { TuskError } from '../../lib/errors.ts'
import { nearestWord } from '../../lib/nearest-word.ts'
import type { ConfigFile } from './config-file.ts'
import { mustBe, type SettingName, settingNamed, settingNames } from './setting.ts'

type Values = Map<SettingName, unknown>

/** How many faults of a file are named at once. */
const mostFaults = 20

/** The settings of a file, checked; what is wrong is said at once. */
export function readFileSettings({ path, content }: ConfigFile): Values {
  const faults: string[] = []
  const values: Values = new Map()
  walk(content, '', values, faults)
  if (faults.length > 0) {
    const more = faults.length > mostFaults ? `; and ${faults.length - mostFaults} more` : ''
    const named = faults.slice(0, mostFaults).join('; ')
    throw new TuskError('invalid_argument', `${path}: ${named}${more}`, {
      hint: 'All settings are in docs/reference/configuration.md.',
    })
  }
  for (const [name, value] of values)
    if (settingNamed(name).isPath) values.set(name, resolve(dirname(path), String(value)))
  return values
}

/** `$schema` is for editors. */
const ignored = new Set(['$schema'])

function walk(content: unknown, at: string, values: Values, faults: string[]): void {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    faults.push(`${at || 'the file'} must be an object`)
    return
  }
  for (const [key, value] of Object.entries(content)) {
    const name = at === '' ? key : `${at}.${key}`
    if (isSetting(name)) take(name, value, values, faults)
    else if (isSection(name)) walk(value, name, values, faults)
    else if (!ignored.has(name)) faults.push(unknown(name, key, at))
  }
}

function take(name: SettingName, value: unknown, values: Values, faults: string[]): void {
  // So that a module can leave a setting open: process.env.SCHEMA, for example.
  if (value === undefined) return
  const setting = settingNamed(name)
  const { success, data, error } = setting.schema.safeParse(value)
  if (success) values.set(name, data)
  else faults.push(`${name} ${mustBe(setting, error)}`)
}

function isSetting(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name)
}

function isSection(name: string): boolean {
  return settingNames.some((setting) => setting.startsWith(`${name}.`))
}

function unknown(name: string, key: string, at: string): string {
  const siblings = settingNames
    .filter((setting) => at === '' || setting.startsWith(`${at}.`))
    .map((setting) => setting.slice(at === '' ? 0 : at.length + 1).split('.')[0] ?? '')
  const meant = nearestWord(key, [...new Set(siblings)])
  return `unknown setting ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}
