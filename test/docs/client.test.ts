import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readModules } from '../../build/reference/write-typescript.ts'
import { builtDeclarations } from '../support/declarations.ts'

/** Methods that callers of the client have no use for. */
const inner = new Set(['close', '__@asyncDispose'])

test('the overview of the client lists every method, and none that does not exist', async () => {
  const page = await readFile(new URL('../../docs/reference/client.md', import.meta.url), 'utf8')
  const [exports = []] = readModules(await builtDeclarations()).map((module) => module.exports)
  const methods = exports
    .filter(({ name, kind }) => kind === 'class' && name.startsWith('Tusk') && name !== 'TuskError')
    .flatMap(({ members }) => members.filter(({ text }) => /^\w+(<[^(]*>)?\(/.test(text)))
    .map(({ name }) => name)
    .filter((name) => !inner.has(name))

  const [, section = ''] = page.split('## Methods')
  const listed = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) =>
      Array.from((line.split('|')[1] ?? '').matchAll(/(\w+)\(/g), ([, name = '']) => name),
    )

  expect(methods.length).toBeGreaterThan(50)
  expect(new Set(listed)).toEqual(new Set(methods))
})
