import { inject } from 'vitest'
import type { Tasks } from '../../src/tasks/task-list.ts'
import { openTestTusk, type TestTuskOptions } from '../../src/testing/open-test-tusk.ts'
import type { TestTusk } from '../../src/testing/test-tusk.ts'

/** A test tusk on the Postgres of this run. */
export function openHere<const T extends Tasks>(
  tasks: T,
  options: Partial<TestTuskOptions<T>> = {},
): Promise<TestTusk<T>> {
  return openTestTusk({ database: inject('pgUrl'), tasks, graceMs: 50, ...options })
}
