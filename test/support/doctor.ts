import { expect } from 'vitest'
import type { Limits } from '../../src/doctor/examination.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { test as base } from './engine.ts'

interface DoctorFixtures {
  /** Looks at one thing. */
  look: (check: string, limits?: Partial<Limits>) => Promise<Finding[]>
}

export const test = base.extend<DoctorFixtures>({
  look: async ({ db, schema }, use) =>
    use((check, limits) => examine(db, { schema, only: [check], limits })),
})

/** What a check finds when all is well. */
export const well = (check: string) => [expect.objectContaining({ check, level: 'ok', hint: null })]
