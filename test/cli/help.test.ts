import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { examplesOf } from '../../src/cli/options/examples.ts'
import type { Io } from '../../src/cli/process/io.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { tusk } from '../support/cli.ts'

const silent: Io = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  stopRequested: () => Promise.resolve(),
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** The words of a line as a shell would see them; enough of one for examples. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

describe('the help', () => {
  test.for(leaves(buildProgram(silent)).map((command) => [pathOf(command), command] as const))(
    'of %s says what it does and shows examples',
    async ([path, command]) => {
      const { code, data, talk } = await tusk([...path.split(' ').slice(1), '--help'])

      expect({ code, talk }).toEqual({ code: 0, talk: '' })
      expect(command.description()).not.toBe('')
      expect(data).toContain('\nExamples:\n')
      expect(data).toContain('--output <format>')
      expect(examplesOf(command).join('\n')).toContain(path)
    },
  )

  test('shows only examples that can be typed', async () => {
    const lines = leaves(buildProgram(silent)).flatMap(examplesOf)

    expect(lines.length).toBeGreaterThan(40)
    for (const line of lines) {
      const program = buildProgram(silent)
      const ran: string[] = []
      for (const command of leaves(program)) command.action(() => void ran.push(pathOf(command)))
      // The files that examples name are not there.
      const typed = (/tusk [^|)>]*/.exec(line)?.[0] ?? '')
        .replace(/@\S+/, '{}')
        .replace(/--config \S+ /, '')

      await program.parseAsync(wordsOf(typed).slice(1), { from: 'user' })

      expect(ran, line).toHaveLength(1)
      expect(typed, line).toContain(ran[0])
    }
  })

  test('groups the commands, and names no command twice', async () => {
    const { data } = await tusk(['--help'])

    for (const group of ['Tasks:', 'Server:', 'Database:', 'Command line:'])
      expect(data).toContain(`\n${group}\n`)
    const names = buildProgram(silent).commands.map((command) => command.name())
    expect(new Set(names).size).toBe(names.length)
  })

  test('of a noun is talk when no verb is given, and ends with 2', async () => {
    expect(await tusk(['task'])).toMatchObject({
      code: 2,
      data: '',
      talk: expect.stringContaining('add [options] <queue>'),
    })
  })

  test.for([
    [['tsk'], /unknown command 'tsk' \(Did you mean task\?\)/],
    [['task', 'lst'], /unknown command 'lst' \(Did you mean list\?\)/],
    [['task', 'list', '--limt', '1'], /unknown option '--limt' \(Did you mean --limit\?\)/],
    [['task', 'list', '-o', 'jsn'], /argument 'jsn' is invalid\. Did you mean json\?/],
    [['completion', 'bsh'], /Did you mean bash\?/],
  ] as const)('suggests what was meant by %j, in one line', async ([args, said]) => {
    const { code, data, talk } = await tusk(args)

    expect({ code, data }).toEqual({ code: 2, data: '' })
    expect(talk).toMatch(said)
    expect(talk).toMatch(/^tusk: .*\n$/)
  })
})
