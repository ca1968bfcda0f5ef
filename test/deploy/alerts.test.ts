import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const rules = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url))
const cases = fileURLToPath(new URL('./alerts.yml', import.meta.url))

test('every alert of deploy/prometheus has a case in which it must fire', async () => {
  const alerts = [...(await readFile(rules, 'utf8')).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  )
  const tested = [...(await readFile(cases, 'utf8')).matchAll(/alertname="(\w+)"/g)].map(
    ([, name]) => name,
  )

  expect(alerts.length).toBeGreaterThan(10)
  expect(tested).toEqual(alerts)
})

describe.skipIf(!hasPromtool())('the alerts (skipped without promtool)', () => {
  test('fire when they should, and are silent when all is well', async () => {
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', cases])

    expect(stdout).toContain('SUCCESS')
  })
})

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
