import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { tusk } from '../support/cli.ts'

const run = promisify(execFile)

/** What bash offers after these words; the last one is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const { data: script } = await tusk(['completion', 'bash'])
  const line = `${script}
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

  test.for(['bash', 'zsh', 'fish'] as const)(
    'gives %s a script that it can read',
    async (shell) => {
      const { code, data } = await tusk(['completion', shell])

      expect(code).toBe(0)
      expect(data).toContain('task/list')
      expect(data).toContain('jsonl')
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
