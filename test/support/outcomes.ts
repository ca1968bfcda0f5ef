import { expect } from 'vitest'
import type { ClaimedRow } from '../../src/engine/claim-batch.ts'
import { perform, type Stage } from '../../src/runners/handler/perform.ts'
import type { TaskActions } from '../../src/runners/handler/run-context.ts'
import type { Outcome } from '../../src/runners/outcome.ts'
import { Run } from '../../src/runners/run.ts'
import type { AnyTask } from '../../src/tasks/define-task.ts'

type Answers = Partial<ClaimedRow>

/** Runs a task outside of any worker; gives what would be reported. */
export function outcomes(
  task: Partial<AnyTask>,
  options: Answers & { middleware?: Stage['middleware'] } = {},
) {
  const { middleware, ...given } = options
  const shown = new Map<string, Outcome>()
  const stage: Stage = {
    actions: {} as TaskActions,
    middleware,
    graceMs: 1,
    report: (run, outcome) => shown.set(run.row.id, outcome),
  }
  const run = (id: string, payload?: ClaimedRow['payload']) =>
    new Run({ id, attempt: 1, version: 1, payload: payload ?? {}, ...given } as ClaimedRow)
  return { shown, stage, run, task: { name: 'mail', ...task } }
}

export async function outcomeOf(task: Partial<AnyTask>, options?: Parameters<typeof outcomes>[1]) {
  const { shown, stage, run, task: whole } = outcomes(task, options)
  await perform(whole, run('1'), stage)
  return shown.get('1')
}

export const message = (text: string) => expect.stringContaining(text)
