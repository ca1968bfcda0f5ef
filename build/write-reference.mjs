// Writes the pages of docs/reference that are generated: the test that compares them writes them when it is asked to.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'fast', 'test/docs/reference.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TUSK_WRITE_REFERENCE: '1' } },
)
process.exitCode = status ?? 1
