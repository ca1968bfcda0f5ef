import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settingNamed, settingNames } from '../../src/cli/config/setting.ts'

test('the page on configuration lists the settings as they are', async () => {
  const page = await readFile(
    new URL('../../docs/reference/configuration.md', import.meta.url),
    'utf8',
  )

  const rows = page.split('\n').filter((line) => line.startsWith('| `'))

  expect(rows).toEqual(
    settingNames.map((name) => {
      const { env, flag, fallback, about } = settingNamed(name)
      const cells = [code(name), code(env), code(flag), code(shown(fallback)), about]
      return `| ${cells.join(' | ')} |`
    }),
  )
})

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}

function shown(value: unknown): string | undefined {
  return value === '' ? '""' : value?.toString()
}
