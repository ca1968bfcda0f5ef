import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { tusk } from '../support/cli.ts'

describe('tusk', () => {
  test('prints its help as data when asked', async () => {
    const { code, data, talk } = await tusk(['--help'])

    expect({ code, talk }).toEqual({ code: 0, talk: '' })
    expect(data).toMatch(/^Usage: tusk/)
  })

  test('prints its help as talk when given nothing to do', async () => {
    const { code, data, talk } = await tusk([])

    expect({ code, data }).toEqual({ code: 2, data: '' })
    expect(talk).toMatch(/^Usage: tusk/)
  })

  test('prints its version', async () => {
    expect(await tusk(['--version'])).toMatchObject({
      code: 0,
      data: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  test.for([
    [['strat'], "tusk: unknown command 'strat' (Did you mean start?)\n"],
    [['db', 'stats'], "tusk: unknown command 'stats' (Did you mean status?)\n"],
    [['start', '--prot', '1'], "tusk: unknown option '--prot' (Did you mean --port?)\n"],
    [['start', 'now'], "tusk: too many arguments for 'start'. Expected 0 arguments but got 1.\n"],
    [
      ['db', 'start', '--postgres-port', 'high'],
      "tusk: option '--postgres-port <port>' argument 'high' is invalid. A port is a number from 1 to 65535.\n",
    ],
    [
      ['db', 'start', '--port', '5433'],
      "tusk: option '--port <port>' argument '5433' is invalid. --port is the port of the HTTP server, which this command does not start. Use --postgres-port.\n",
    ],
  ] as const)('answers %j with one line', async ([args, line]) => {
    expect(await tusk(args)).toEqual({ code: 2, data: '', talk: line })
  })

  test('shows a stack trace to those who ask, and to no others', async () => {
    const nowhere = { DATABASE_URL: 'postgres://ada@127.0.0.1:1/mail' }

    const usual = await tusk(['start'], nowhere)
    const debug = await tusk(['start'], { ...nowhere, TUSK_DEBUG: '1' })

    expect(usual.talk).not.toMatch(/^\s+at /m)
    expect(debug.talk).toMatch(/^\s+at /m)
  })

  test('colours talk on a terminal unless NO_COLOR is set', async () => {
    const env = { DATABASE_URL: 'postgres://ada@127.0.0.1:1/mail' }
    const talkOf = async (more: NodeJS.ProcessEnv) => {
      const talk: string[] = []
      const stderr = { isTTY: true, write: (text: string) => talk.push(text) }
      const stopRequested = () => Promise.resolve()
      await main(['start'], { stdout: stderr, stderr, env: { ...env, ...more }, stopRequested })
      return talk.join('')
    }

    expect(await talkOf({})).toContain('\x1b[')
    expect(await talkOf({ NO_COLOR: '1' })).not.toContain('\x1b[')
  })
})
