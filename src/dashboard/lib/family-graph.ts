import type { Dependencies, FamilyMember, Task } from '../model.ts'
import type { Edge } from './graph-layout.ts'

/** A task of the graph. */
export interface GraphNode {
  readonly id: string
  /** The step of its parent, or else what it runs. */
  readonly name: string
  readonly state: FamilyMember['state']
  readonly isDetached: boolean
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly Edge[]
}

type Related = Pick<Task, 'id' | 'queue' | 'handler' | 'state'>

/** A task with its parent, its family, and the tasks that it comes after or that come after it, each once. */
export function graphOf(given: {
  readonly task: Related & Pick<Task, 'parent'>
  readonly parent: Related | null
  readonly family: readonly FamilyMember[]
  readonly dependencies: Dependencies['items']
}): Graph {
  const { task, parent, family, dependencies } = given
  const nodes = new Map<string, GraphNode>()
  const edges: Edge[] = []
  const add = (
    node: Related | FamilyMember | Dependencies['items'][number],
    step: string | null = null,
  ) => {
    if (nodes.has(node.id)) return
    const isDetached = 'is_detached' in node && node.is_detached
    const name = step ?? node.handler ?? node.queue ?? 'no longer kept'
    nodes.set(node.id, { id: node.id, name, state: node.state, isDetached })
  }
  if (parent !== null) {
    add(parent)
    edges.push({ from: parent.id, to: task.id, kind: 'child' })
  }
  add(task)
  for (const member of family) {
    add(member, member.step)
    if (member.parent === null) continue
    edges.push({
      from: member.parent,
      to: member.id,
      kind: member.is_detached ? 'detached' : 'child',
    })
  }
  for (const one of dependencies) {
    add(one)
    edges.push(...one.after.map((from) => ({ from, to: one.id, kind: 'after' })))
  }
  return { nodes: [...nodes.values()], edges }
}

/** The tasks in a state, with those that lead to them and the task itself. */
export function narrowed({ nodes, edges }: Graph, state: string, own: string): Graph {
  const sources = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const known = sources.get(to)
    if (known === undefined) sources.set(to, [from])
    else known.push(from)
  }
  const kept = new Set<string>()
  const open = [own, ...nodes.filter((node) => node.state === state).map(({ id }) => id)]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (kept.has(id)) continue
    kept.add(id)
    open.push(...(sources.get(id) ?? []))
  }
  return { nodes: nodes.filter(({ id }) => kept.has(id)), edges }
}

/** How many tasks are in each state, in the order of `states`. */
export function countStates(
  nodes: readonly GraphNode[],
  states: readonly string[],
): readonly (readonly [string, number])[] {
  return states
    .map((state) => [state, nodes.filter((node) => node.state === state).length] as const)
    .filter(([, many]) => many > 0)
}
