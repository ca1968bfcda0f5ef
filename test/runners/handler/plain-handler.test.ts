import { describe, expect, test } from 'vitest'
import { perform } from '../../../src/runners/handler/perform.ts'
import type { TaskActions } from '../../../src/runners/handler/run-context.ts'
import type { Context } from '../../../src/tasks/context.ts'
import { outcomes } from '../../support/outcomes.ts'

/** Counts every use of what a handler can ask of the database. */
function countingActions() {
  const asked: string[] = []
  const actions = new Proxy({} as TaskActions, {
    get: (_, name) => {
      asked.push(String(name))
      return async () => []
    },
  })
  return { asked, actions }
}

async function runWith(handler: (context: Context) => unknown) {
  const { asked, actions } = countingActions()
  const { stage, run, task, shown } = outcomes({ run: (_: never, context) => handler(context) })
  const one = run('1')
  await perform(task, one, { ...stage, actions })
  return { asked, one, outcome: shown.get('1') }
}

describe('a handler that calls nothing durable', () => {
  test('asks nothing of the database, and has nothing to store at its end', async () => {
    const { asked, one, outcome } = await runWith(({ attempt, signal }) => ({
      attempt,
      isAborted: signal.aborted,
    }))

    expect(outcome).toEqual({ kind: 'done', output: '{"attempt":1,"isAborted":false}' })
    expect(asked).toEqual([])
    expect(one.finish).toBeUndefined()
    expect(one.onSuspend).toBeUndefined()
  })

  test('pays nothing for looking at what it could call', async () => {
    const { asked, one } = await runWith(({ step, delay, receive, spawn, join, write }) =>
      [step, delay, receive, spawn, join, write].map((each) => typeof each),
    )

    expect(asked).toEqual([])
    expect(one.finish).toBeUndefined()
  })

  test('and one that takes a step pays for its checkpoints alone', async () => {
    const { asked, one } = await runWith(async ({ step }) => {
      await step('one', () => 1)
      await step('two', () => 2)
    })

    expect(asked).toEqual(['readSteps', 'saveSteps', 'saveSteps'])
    expect(one.finish).toBeDefined()
  })
})
