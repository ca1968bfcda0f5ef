import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { settingNamed, settingNames } from '../../src/cli/config/setting.ts'
import type { Io } from '../../src/cli/process/io.ts'
import { buildProgram } from '../../src/cli/program.ts'

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

test('the flags of the settings are options of some command', () => {
  const options = optionsOf(buildProgram(silent))

  const flags = settingNames.flatMap((name) => settingNamed(name).flag ?? [])

  expect(flags.filter((flag) => !options.has(flag))).toEqual([])
})

const silent: Io = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  stopRequested: () => Promise.resolve(),
}

/** Of a command and of all below it. */
function optionsOf(command: Command): Set<string> {
  const below = command.commands.flatMap((each) => [...optionsOf(each)])
  return new Set([...command.options.flatMap(({ long }) => long ?? []), ...below])
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}

function shown(value: unknown): string | undefined {
  return value === '' ? '""' : value?.toString()
}
