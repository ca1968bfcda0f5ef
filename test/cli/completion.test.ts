import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { test, tusk } from '../support/cli.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): Promise<string[]> {
  return offeredOf([], ...words)
}

/** The same where there are queues. */
async function offeredOf(queues: readonly string[], ...words: string[]): Promise<string[]> {
  const { data: script } = await tusk(['completion', 'bash'])
  const names = queues.map((name) => `'${name}'`).join(' ')
  const line = `${script}
tusk() { [[ $* == 'completion queues' ]] && printf '%s\\n' ${names}; }
COMP_WORDS=(tusk "$@"); COMP_CWORD=$#; _tusk; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-c', line, 'bash', ...words])
  return stdout.split('\n').filter(Boolean)
}

async function has(shell: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${shell}`]).then(
    () => true,
    () => false,
  )
}

describe('completion', () => {
  test('offers nouns, verbs and options', async () => {
    expect(await offered('ta')).toEqual(['task'])
    expect(await offered('task', 'a')).toEqual(['add', 'amend'])
    expect(await offered('-o', 'json', 'task', 'ca')).toEqual(['cancel'])
    expect(await offered('task', 'add', 'mail', '--on')).toEqual(['--on-duplicate'])
    expect(await offered('task', 'add', 'mail', '--out')).toEqual(['--output'])
  })

  test('offers the values that an option or an argument can have', async () => {
    expect(await offered('task', 'list', '-o', 'j')).toEqual(['json', 'jsonl'])
    expect(await offered('task', 'add', 'mail', '--kind', '')).toEqual([
      'handler',
      'sql',
      'document',
    ])
    expect(await offered('dialect', 'install', 'pg')).toEqual(['pg-background', 'pg-task'])
    expect(await offered('task', 'add', 'mail', '--payload', '')).toEqual([])
  })

  test('offers the names of queues where one is meant, and runs nothing of them', async () => {
    const queues = ['mail', 'mail out', '$(echo mad)', 'reports']

    expect(await offeredOf(queues, 'queue', 'pause', 'ma')).toEqual(['mail', 'mail\\ out'])
    expect(await offeredOf(queues, 'task', 'add', 'rep')).toEqual(['reports'])
    expect(await offeredOf(queues, 'sql', 'select 1', '--queue', 'm')).toEqual([
      'mail',
      'mail\\ out',
    ])
    expect(await offeredOf(queues, 'queue', 'show', '$')).toEqual(['\\$\\(echo\\ mad\\)'])
    expect(await offeredOf(queues, 'task', 'list', 'ma')).toEqual([])
    expect(await offeredOf(queues, 'task', 'add', '--on')).toEqual(['--on-duplicate'])
  })

  test('learns the names of queues from the database', async ({ run, engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'two\nlines' })
    await engine.setQueue('set only', { max_running: 1 })
    await engine.setQueue('*', { max_attempts: 3 })

    // It gives up after a second, which a busy machine may take.
    let said = await run('completion', 'queues')
    await until(async () => {
      if (said.code !== 0) said = await run('completion', 'queues')
      return said.code === 0
    })

    expect(said).toEqual({ code: 0, data: 'mail\nset only\n', talk: '' })
  })

  test('has no names where there is no database', async () => {
    const nowhere = { DATABASE_URL: 'postgres://ada@127.0.0.1:1/mail' }

    const { code, data } = await tusk(['completion', 'queues'], nowhere)

    expect({ isOk: code === 0, data }).toEqual({ isOk: false, data: '' })
  })

  test.for(['bash', 'zsh', 'fish'] as const)(
    'gives %s a script that it can read',
    async (shell) => {
      const { code, data } = await tusk(['completion', shell])

      expect(code).toBe(0)
      expect(data).toContain('task/list')
      expect(data).toContain('jsonl')
      expect(data).toContain('tusk completion queues 2>/dev/null')
      // Where the shell is not installed, the words are all that can be looked at.
      if (await has(shell)) await run(shell, ['-n', '-c', data])
    },
  )

  test('refuses other shells with 2', async () => {
    expect(await tusk(['completion', 'csh'])).toMatchObject({
      code: 2,
      talk: expect.stringContaining('It is one of bash, zsh, fish.'),
    })
  })
})
