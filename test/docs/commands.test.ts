import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from '../../src/cli/program.ts'
import { readCodeBlocks, readInlineCode } from '../support/code-blocks.ts'

const io = { write: () => true }
const program = buildProgram({
  stdout: io,
  stderr: io,
  env: {},
  stopRequested: () => Promise.resolve(),
})

test('every command line of the documentation names a command and options that exist', async () => {
  const blocks = (await readCodeBlocks()).filter(({ language }) =>
    ['sh', 'console'].includes(language),
  )
  const lines = [
    ...blocks.flatMap(({ page, line, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((one) => ({ where: `${page}:${line}`, line: one })),
    ),
    ...(await readInlineCode()),
  ]

  const calls = lines.flatMap(({ where, line }) => {
    const [, words = ''] = /^(?:\$ |[A-Z_]+=\S+ )*(?:npx )?tusk (.*)$/.exec(line.trim()) ?? []
    return words === '' ? [] : [{ where, words }]
  })
  const faults = calls.flatMap(({ where, words }) => {
    const fault = faultOf(words)
    return fault === undefined ? [] : [`${where}: tusk ${words}: ${fault}`]
  })

  expect(calls.length).toBeGreaterThan(100)
  expect(faults).toEqual([])
})

/** What is wrong with the words behind `tusk`. What is quoted may be anything. */
function faultOf(words: string): string | undefined {
  const [call = ''] = words.replaceAll(/'[^']*'|"[^"]*"|<[^>]*>/g, 'x').split(/\s(?:#|\||>|&&|;)/)
  const [flags, names] = [
    call.split(/\s+/).filter((word) => /^--?[a-z]/i.test(word)),
    call.split(/\s+/).filter((word) => !word.startsWith('-')),
  ]
  let command: Command = program
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name)
    if (next === undefined) break
    command = next
  }
  if (command === program && flags.length === 0 && names[0] !== '…') return `no command ${names[0]}`
  const known = new Set(
    [program, command].flatMap(({ options }) =>
      options.flatMap(({ short, long }) => [short, long]),
    ),
  )
  known.add('--help').add('-h')
  const unknown = flags.map((flag) => flag.split('=')[0]).filter((flag) => !known.has(flag))
  return unknown.length === 0 ? undefined : `no option ${unknown.join(', ')}`
}
