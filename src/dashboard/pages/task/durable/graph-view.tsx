import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Graph } from '../../../lib/family-graph.ts'
import { type Cell, type Layout, layOut } from '../../../lib/graph-layout.ts'
import { href } from '../../../router.ts'

const cells: Readonly<Record<string, Cell>> = {
  names: { width: 172, height: 28, gap: 4, mostColumns: 3 },
  dots: { width: 18, height: 18, gap: 2, mostColumns: 30 },
}

interface GraphViewProps {
  readonly graph: Graph
  readonly own: string
  readonly look: string
}

/**
 * Tasks as links, placed along their arrows. One of them is reached by Tab, the others from there by the arrow keys: a
 * page with hundreds of stops would not be usable by keyboard.
 */
export function GraphView({ graph, own, look }: GraphViewProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(own)
  // What is known of states changes often, which tasks there are seldom.
  const shape = JSON.stringify([look, graph.nodes.map(({ id }) => id), graph.edges])
  const layout = useMemo(
    () =>
      layOut(
        graph.nodes.map(({ id }) => id),
        graph.edges,
        cells[look] as Cell,
      ),
    [shape],
  )
  const stop = layout.places.has(current) ? current : own
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(layout, stop, event.key)
    if (next === null) return
    event.preventDefault()
    setCurrent(next)
    list.current?.querySelector<HTMLElement>(`[data-node="${next}"]`)?.focus()
  }
  return (
    <div class="graph__scroll">
      <div
        class="graph__canvas"
        style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
      >
        <Lines layout={layout} />
        <ul ref={list} aria-label="Tasks of the family" onKeyDown={onKeyDown}>
          {graph.nodes.map(({ id, name, state, isDetached }) => {
            const { x, y } = layout.places.get(id) ?? { x: 0, y: 0 }
            const words = `#${id} ${name}: ${state}${isDetached ? ', detached' : ''}`
            return (
              <li key={id} class="graph__place" style={{ left: `${x}px`, top: `${y}px` }}>
                <a
                  class={`graph__node graph__node--${look} tone-${state}`}
                  href={href(`/tasks/${id}`)}
                  data-node={id}
                  title={words}
                  aria-label={words}
                  aria-current={id === own ? 'page' : undefined}
                  tabIndex={id === stop ? 0 : -1}
                  onFocus={() => setCurrent(id)}
                >
                  <span class="graph__dot" aria-hidden="true" />
                  {look === 'names' && <span class="graph__name">{name}</span>}
                </a>
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}

function Lines({ layout }: { readonly layout: Layout }): JSX.Element {
  return (
    <svg width={layout.width} height={layout.height} aria-hidden="true" focusable="false">
      {layout.boxes
        .filter(({ ids }) => ids.length > 1)
        .map(({ x, y, width, height, ids }) => (
          <rect key={ids[0]} x={x} y={y} width={width} height={height} rx="6" class="graph__box" />
        ))}
      {layout.arrows.map(({ kind, path }) => (
        <path key={path} d={path} class={`graph__arrow graph__arrow--${kind}`} />
      ))}
    </svg>
  )
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** The nearest node in the direction of the key; what lies across counts more than what lies along. */
function neighbour({ places }: Layout, from: string, key: string): string | null {
  const direction = directions[key]
  const start = places.get(from)
  if (direction === undefined || start === undefined) return null
  const [toX, toY] = direction
  let nearest: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const [id, { x, y }] of places) {
    const along = (x - start.x) * toX + (y - start.y) * toY
    const across = Math.abs((x - start.x) * toY) + Math.abs((y - start.y) * toX)
    const distance = along + 3 * across
    if (along <= 0 || distance >= least) continue
    nearest = id
    least = distance
  }
  return nearest
}
