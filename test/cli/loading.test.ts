import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Everything that a module brings with it, before anything runs. */
function broughtBy(file: URL, found = new Set<string>()): Set<string> {
  found.add(file.href)
  const text = readFileSync(file, 'utf8')
  const imports = text.matchAll(/^(?:import|export) (?!type )[^'"]*?from '([^']+)'/gms)
  for (const [, path = ''] of imports) {
    if (!path.startsWith('.')) found.add(path)
    else if (!found.has(new URL(path, file).href)) broughtBy(new URL(path, file), found)
  }
  return found
}

test('a command that serves nothing waits for neither the HTTP API nor a worker', () => {
  const source = new URL('../../src/', import.meta.url)

  const brought = broughtBy(new URL('cli/main.ts', source))

  expect(brought).toContain(new URL('client/tusk.ts', source).href)
  expect(brought).toContain('commander')
  const heavy = [...brought].filter((name) => /\/src\/(http|worker)\/|hono|libpg-query/.test(name))
  expect(heavy.map((name) => name.replace(fileURLToPath(source), ''))).toEqual([])
})
