import { redact } from '../../lib/redact.ts'
import type { Config, Source } from './config.ts'
import { type SettingName, settingNamed } from './setting.ts'

/** A setting as it is shown. */
export interface ShownSetting {
  readonly name: SettingName
  readonly value: unknown
  readonly source: string
  readonly env: string | null
  readonly flag: string | null
  readonly about: string
}

/** Every setting with the source of its value; passwords are taken out. */
export function describeConfig(config: Config): ShownSetting[] {
  return [...config].map(([name, { value, source }]) => {
    const { isSecret, env = null, flag = null, about } = settingNamed(name)
    const shown = isSecret ? withoutPasswords(value) : value
    return { name, value: shown ?? null, source: inWords(source), env, flag, about }
  })
}

function withoutPasswords(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  const shown = Object.entries(value).map(([name, each]) => [name, withoutPasswords(each)])
  return Object.fromEntries(shown)
}

function inWords(source: Source): string {
  switch (source.from) {
    case 'flag':
      return `flag ${source.name}`
    case 'env':
      return `env ${source.name}`
    case 'file':
      return source.name
    case 'default':
      return 'default'
  }
}
