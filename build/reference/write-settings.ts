import { settingNamed, settingNames } from '../../src/cli/config/setting.ts'
import { code, table } from './generated-page.ts'

/** The table of everything that can be configured. */
export function writeSettings(): string {
  const rows = settingNames.map((name) => {
    const { env, flag, fallback, about } = settingNamed(name)
    return [code(name), code(env ?? ''), code(flag ?? ''), code(shown(fallback)), about]
  })
  return table(['Setting', 'Environment', 'Flag', 'Default', 'Meaning'], rows)
}

function shown(value: unknown): string {
  return value === '' ? '""' : (value?.toString() ?? '')
}
