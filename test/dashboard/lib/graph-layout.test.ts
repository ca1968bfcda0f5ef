import { describe, expect, test } from 'vitest'
import { type Edge, type Layout, layOut } from '../../../src/dashboard/lib/graph-layout.ts'

const cell = { width: 100, height: 20, gap: 4, mostColumns: 3 }

/** Edges of one kind, written as `a>b`. */
function arrows(...texts: readonly string[]): Edge[] {
  return texts.map((text) => {
    const [from = '', to = ''] = text.split('>')
    return { from, to, kind: 'child' }
  })
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`)
}

/** Pairs of boxes that share some ground. */
function overlaps({ boxes }: Layout): number {
  return boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) =>
          a.x < b.x + b.width &&
          b.x < a.x + a.width &&
          a.y < b.y + b.height &&
          b.y < a.y + a.height,
      ),
  ).length
}

function xOf({ places }: Layout, id: string): number {
  return places.get(id)?.x ?? Number.NaN
}

describe('the layout of a graph', () => {
  test('draws 300 children of one parent as two boxes and one arrow', () => {
    const children = numbered('c', 300)
    const edges = arrows(...children.map((child) => `p>${child}`))

    const layout = layOut(['p', ...children], edges, cell)

    expect(layout.boxes.map(({ ids }) => ids.length)).toEqual([1, 300])
    expect(layout.arrows).toHaveLength(1)
    const distinct = new Set([...layout.places.values()].map(({ x, y }) => `${x} ${y}`))
    expect(distinct.size).toBe(301)
    expect(layout.height).toBeLessThan(101 * cell.height)
  })

  test('draws two layers of 150, each after all of the other, with one arrow', () => {
    const [first, second] = [numbered('a', 150), numbered('b', 150)]
    const edges = arrows(...first.flatMap((a) => second.map((b) => `${a}>${b}`)))

    const layout = layOut([...first, ...second], edges, cell)

    expect(layout.arrows).toHaveLength(1)
    expect(xOf(layout, 'b0')).toBeGreaterThan(xOf(layout, 'a149'))
  })

  test('places each task right of all that lead to it, and none on another', () => {
    const parents = numbered('p', 20)
    const edges = arrows(
      ...parents.map((parent) => `root>${parent}`),
      ...parents.flatMap((parent) =>
        numbered(`${parent}c`, 15).map((child) => `${parent}>${child}`),
      ),
      'p0c0>late',
      'root>late',
    )
    const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))]

    const layout = layOut(ids, edges, cell)

    expect(ids).toHaveLength(322)
    for (const { from, to } of edges) expect(xOf(layout, to)).toBeGreaterThan(xOf(layout, from))
    expect(overlaps(layout)).toBe(0)
  })

  test('keeps arrows of different kinds apart', () => {
    const edges = [...arrows('p>a'), { from: 'p', to: 'b', kind: 'detached' }]

    const layout = layOut(['p', 'a', 'b'], edges, cell)

    expect(layout.arrows.map(({ kind }) => kind).sort()).toEqual(['child', 'detached'])
  })

  test('places a line of 1,000 tasks', () => {
    const ids = numbered('t', 1000)
    const edges = arrows(...ids.slice(1).map((id, index) => `t${index}>${id}`))

    const layout = layOut(ids, edges, cell)

    expect(new Set([...layout.places.values()].map(({ x }) => x)).size).toBe(1000)
  })

  test('places every task of a circle', () => {
    const layout = layOut(['a', 'b', 'c', 'd'], arrows('a>b', 'b>c', 'c>a', 'c>d'), cell)

    expect([...layout.places.keys()].sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(overlaps(layout)).toBe(0)
  })

  test('passes over arrows to tasks that are not there, and places a single one', () => {
    const layout = layOut(['a'], arrows('a>gone', 'gone>a'), cell)

    expect(layout.arrows).toEqual([])
    expect(layout.boxes).toHaveLength(1)
    expect(layOut([], [], cell)).toMatchObject({ width: 0, height: 0 })
  })
})
