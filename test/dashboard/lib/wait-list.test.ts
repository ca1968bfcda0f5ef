import { describe, expect, test } from 'vitest'
import { listWaits } from '../../../src/dashboard/lib/wait-list.ts'
import type { Step } from '../../../src/dashboard/model.ts'

const never = '9999-12-31T00:00:00.000Z'
const soon = '2026-11-20T00:00:00.000Z'

function stepOf(given: Partial<Step>): Step {
  return {
    name: 'bill',
    kind: 'step',
    state: 'open',
    attempt: 1,
    child: null,
    signal: null,
    is_detached: false,
    until: null,
    started_at: null,
    finished_at: null,
    output: null,
    error: null,
    ...given,
  }
}

describe('what a waiting task waits for', () => {
  test('is each signal with its own name and time-out, and a delay', () => {
    const steps = [
      stepOf({ name: 'second payment', kind: 'signal', until: soon }),
      stepOf({ name: 'cool down', kind: 'delay', until: soon }),
      stepOf({ name: 'approved', kind: 'signal', until: never }),
    ]
    const waits = {
      steps: ['second payment', 'cool down', 'approved'],
      signals: ['paid', 'approved'],
      joins: [],
    }

    expect(listWaits({ state: 'waiting', run_at: soon, waits }, steps)).toMatchObject([
      { kind: 'signal', name: 'second payment', signal: 'paid', until: soon },
      { kind: 'delay', name: 'cool down', until: soon },
      { kind: 'signal', name: 'approved', signal: 'approved', until: null },
    ])
  })

  test('is children that have not ended, earlier tasks, and the next attempt of a step', () => {
    const steps = [
      stepOf({ name: 'pack', kind: 'child', child: '7', state: 'done' }),
      stepOf({ name: 'label', kind: 'child', child: '8' }),
      stepOf({ name: 'mail', state: 'retrying' }),
    ]
    const waits = {
      steps: ['mail'],
      signals: [],
      joins: [{ children: ['pack', 'label'], left: 1, mode: 'all', on_failure: 'throw' }],
      after: { left: 3, on_failure: 'fail' },
    }

    expect(listWaits({ state: 'waiting', run_at: soon, waits }, steps)).toMatchObject([
      { kind: 'attempt', name: 'mail', until: soon },
      { kind: 'children', left: 1, tasks: ['8'] },
      { kind: 'after', left: 3 },
    ])
  })

  test('is nothing for a task in another state', () => {
    const waits = { steps: ['mail'] }

    expect(listWaits({ state: 'running', run_at: soon, waits }, [])).toEqual([])
    expect(listWaits({ state: 'waiting', run_at: soon, waits: null }, [])).toEqual([])
  })
})
