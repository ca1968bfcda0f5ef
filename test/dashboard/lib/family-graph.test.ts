import { describe, expect, test } from 'vitest'
import { countStates, graphOf, narrowed } from '../../../src/dashboard/lib/family-graph.ts'
import type { Dependencies, FamilyMember, TaskState } from '../../../src/dashboard/model.ts'

function task(id: string, state: TaskState = 'waiting') {
  return { id, state, queue: `queue ${id}`, handler: null, parent: null }
}

function member(id: string, parent: string, state: TaskState, given: Partial<FamilyMember> = {}) {
  return {
    ...task(id, state),
    parent,
    step: `step ${id}`,
    is_detached: false,
    ...given,
  } as FamilyMember
}

const family = [
  { ...task('1'), step: null, is_detached: false } as unknown as FamilyMember,
  member('2', '1', 'done'),
  member('3', '1', 'failed', { is_detached: true }),
  member('4', '2', 'failed', { queue: null, step: null }),
]

const dependencies = [
  { ...task('1'), after: ['9'] },
  { ...task('9', 'running'), after: [] },
] as unknown as Dependencies['items']

describe('the graph of a family', () => {
  test('has each task once, with its parent, its family and what it comes after', () => {
    const graph = graphOf({
      task: { ...task('1'), parent: '0' },
      parent: task('0', 'running'),
      family,
      dependencies,
    })

    expect(graph.nodes.map(({ id, name }) => [id, name])).toEqual([
      ['0', 'queue 0'],
      ['1', 'queue 1'],
      ['2', 'step 2'],
      ['3', 'step 3'],
      ['4', 'no longer kept'],
      ['9', 'queue 9'],
    ])
    expect(graph.edges).toEqual([
      { from: '0', to: '1', kind: 'child' },
      { from: '1', to: '2', kind: 'child' },
      { from: '1', to: '3', kind: 'detached' },
      { from: '2', to: '4', kind: 'child' },
      { from: '9', to: '1', kind: 'after' },
    ])
    expect(countStates(graph.nodes, ['running', 'waiting', 'failed', 'done', 'ready'])).toEqual([
      ['running', 2],
      ['waiting', 1],
      ['failed', 2],
      ['done', 1],
    ])
  })

  test('is narrowed to a state with the tasks that lead there', () => {
    const graph = graphOf({ task: task('1'), parent: null, family, dependencies: [] })

    const ids = (state: string) => narrowed(graph, state, '1').nodes.map(({ id }) => id)

    expect(ids('failed')).toEqual(['1', '2', '3', '4'])
    expect(ids('done')).toEqual(['1', '2'])
    expect(ids('ready')).toEqual(['1'])
  })
})
