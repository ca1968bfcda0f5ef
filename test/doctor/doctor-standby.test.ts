import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { tusk } from '../support/cli.ts'
import { launchIn, test } from '../support/home.ts'

describe('the doctor', () => {
  test('finds that it looks at a standby, and looks at all the rest', async ({ home }) => {
    const primary = await launchIn(home)
    await migrate(primary.url, { roles: false })
    await primary.stop()
    // A server that follows no primary is a standby all the same.
    await writeFile(join(primary.dataDirectory, 'standby.signal'), '')
    const standby = await launchIn(home)

    const { code, data } = await tusk(['doctor'], { DATABASE_URL: standby.url })
    await standby.stop()

    const findings = JSON.parse(data) as Finding[]
    expect(code).toBe(1)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'writable',
        level: 'problem',
        message: expect.stringContaining('standby'),
      }),
    )
    expect(findings.filter(({ message }) => message.includes('could not be looked at'))).toEqual([])
  })
})
