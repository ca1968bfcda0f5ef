import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

describe('the glossary', () => {
  test('names every verb, and no verb that does not exist', async () => {
    const files = await readdir(new URL('sql/verbs/', root), { recursive: true })
    const verbs = files
      .filter((file) => file.endsWith('.sql'))
      .map((file) => basename(file, '.sql'))

    const named = await verbsNamed('docs/glossary.md')

    expect(new Set(named)).toEqual(new Set(verbs))
  })

  test('grants every verb to the roles it names', async () => {
    const grants = await readFile(new URL('sql/grants.sql', root), 'utf8')
    const granted = Array.from(
      grants.matchAll(/^select grant_verb\('\w+', (.*)\);$/gm),
      ([, names = '']) => Array.from(names.matchAll(/'(\w+)'/g), ([, name = '']) => name),
    ).flat()

    const named = await verbsNamed('docs/glossary.md')

    expect(new Set(granted)).toEqual(new Set(named))
  })
})

/** The words in code font in the first column of the table under "Verbs". */
async function verbsNamed(page: string): Promise<string[]> {
  const text = await readFile(new URL(page, root), 'utf8')
  const [, section = ''] = text.split('## Verbs\n')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, name = '']) => name),
  )
}
