/** An arrow from one node to another, by their ids. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** Arrows of one look are one kind. */
  readonly kind: string
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Nodes that have the same arrows, drawn as one box with a single arrow in and out. */
export interface Box extends Point {
  readonly width: number
  readonly height: number
  readonly ids: readonly string[]
}

export interface Arrow {
  readonly kind: string
  /** The commands of an SVG path. */
  readonly path: string
}

export interface Layout {
  readonly places: ReadonlyMap<string, Point>
  readonly boxes: readonly Box[]
  readonly arrows: readonly Arrow[]
  readonly width: number
  readonly height: number
}

/** How large a node is, and how wide a box of many may become. */
export interface Cell {
  readonly width: number
  readonly height: number
  /** How much of the width and of the height is left free. */
  readonly gap: number
  readonly mostColumns: number
}

interface Group {
  readonly ids: string[]
  readonly sources: Set<Group>
  readonly targets: Map<Group, string>
  layer: number
  /** The height of all that is placed beside it. */
  span: number
  x: number
  y: number
}

const gap = { x: 40, y: 10 }
const padding = 4
const mostInOneColumn = 12
/** Arrows of what is taller go there: both ends are to be seen without scrolling. */
const mostAbove = 200

/**
 * Places nodes from the left to the right along their arrows. Nodes with the same arrows share a box: a parent with
 * 300 children is two boxes and one arrow, and so are 300 tasks that one task comes after.
 */
export function layOut(ids: readonly string[], edges: readonly Edge[], cell: Cell): Layout {
  const groups = inLayers(groupsOf(ids, edges))
  const sizes = new Map(groups.map((group) => [group, sizeOf(group, cell)]))
  const size = (group: Group) => sizes.get(group) ?? { columns: 1, width: 0, height: 0 }
  const height = placeRows(groups, (group) => size(group).height)
  const width = placeColumns(groups, (group) => size(group).width)

  const places = new Map<string, Point>()
  const boxes = groups.map((group): Box => {
    const { columns, width: wide, height: high } = size(group)
    for (const [index, id] of group.ids.entries()) {
      places.set(id, {
        x: group.x + padding + (index % columns) * cell.width,
        y: group.y + padding + Math.floor(index / columns) * cell.height,
      })
    }
    return { x: group.x, y: group.y, width: wide, height: high, ids: group.ids }
  })
  const arrows = groups.flatMap((from) =>
    [...from.targets].map(([to, kind]): Arrow => {
      const start = { x: from.x + size(from).width, y: from.y + middleOf(size(from).height) }
      const end = { x: to.x, y: to.y + middleOf(size(to).height) }
      const middle = (start.x + end.x) / 2
      return {
        kind,
        path: `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`,
      }
    }),
  )
  return { places, boxes, arrows, width, height }
}

function middleOf(height: number): number {
  return Math.min(height / 2, mostAbove)
}

function sizeOf({ ids }: Group, { width, height, gap: free, mostColumns }: Cell) {
  const columns =
    ids.length <= mostInOneColumn ? 1 : Math.min(mostColumns, Math.ceil(Math.sqrt(ids.length * 2)))
  const rows = Math.ceil(ids.length / columns)
  const around = 2 * padding - free
  return { columns, width: columns * width + around, height: rows * height + around }
}

/** Nodes that have the same sources and targets, as one group. */
function groupsOf(ids: readonly string[], edges: readonly Edge[]): Group[] {
  const signatures = new Map(ids.map((id) => [id, [] as string[]]))
  const known = edges.filter(({ from, to }) => signatures.has(from) && signatures.has(to))
  for (const { from, to, kind } of known) {
    signatures.get(from)?.push(`>${to} ${kind}`)
    signatures.get(to)?.push(`<${from} ${kind}`)
  }
  const bySignature = new Map<string, Group>()
  const byId = new Map<string, Group>()
  for (const [id, parts] of signatures) {
    // Without an arrow it has nothing in common with others.
    const signature = parts.length === 0 ? id : parts.sort().join()
    const group = bySignature.get(signature) ?? newGroup()
    group.ids.push(id)
    bySignature.set(signature, group)
    byId.set(id, group)
  }
  for (const { from, to, kind } of known) {
    const [source, target] = [byId.get(from), byId.get(to)]
    if (source === undefined || target === undefined || source === target) continue
    source.targets.set(target, kind)
    target.sources.add(source)
  }
  return [...bySignature.values()]
}

function newGroup(): Group {
  return { ids: [], sources: new Set(), targets: new Map(), layer: 0, span: 0, x: 0, y: 0 }
}

/** Each group right of all its sources, in an order in which sources come first. Arrows of a circle are passed over. */
function inLayers(groups: readonly Group[]): Group[] {
  const open = new Map(groups.map((group) => [group, group.sources.size]))
  const ordered: Group[] = []
  const ready = groups.filter(({ sources }) => sources.size === 0)
  while (ordered.length < groups.length) {
    // In a circle none is ready: the first that is left is taken.
    const group = ready.shift() ?? (open.keys().next().value as Group)
    open.delete(group)
    ordered.push(group)
    for (const target of group.targets.keys()) {
      const left = open.get(target)
      if (left === undefined) continue
      target.layer = Math.max(target.layer, group.layer + 1)
      open.set(target, left - 1)
      if (left === 1) ready.push(target)
    }
  }
  return ordered
}

/** Each group beside those that it leads to, which have rows of their own; answers with the height of all. */
function placeRows(groups: readonly Group[], heightOf: (group: Group) => number): number {
  const beside = new Map<Group | undefined, Group[]>()
  const seen: Group[] = []
  for (const group of groups) {
    // The last of its sources; one that comes later is so by a circle.
    const parent = seen.findLast((one) => group.sources.has(one))
    seen.push(group)
    const siblings = beside.get(parent)
    if (siblings === undefined) beside.set(parent, [group])
    else siblings.push(group)
  }
  const spanOf = (ones: readonly Group[]) =>
    ones.reduce((sum, { span }) => sum + span + gap.y, -gap.y)
  for (const group of groups.toReversed()) {
    group.span = Math.max(heightOf(group), spanOf(beside.get(group) ?? []))
  }
  const stack = (ones: readonly Group[], top: number) => {
    let y = top
    for (const group of ones) {
      group.y = y
      y += group.span + gap.y
    }
  }
  const roots = beside.get(undefined) ?? []
  stack(roots, 0)
  for (const group of groups) {
    const children = beside.get(group) ?? []
    // Until here y is the top of its span; then of the group itself.
    stack(children, group.y + middleOf(group.span) - middleOf(Math.max(spanOf(children), 0)))
    group.y += middleOf(group.span) - middleOf(heightOf(group))
  }
  return Math.max(spanOf(roots), 0)
}

/** One column per layer, as wide as its widest group; answers with the width of all. */
function placeColumns(groups: readonly Group[], widthOf: (group: Group) => number): number {
  const widths: number[] = []
  for (const group of groups) {
    widths[group.layer] = Math.max(widths[group.layer] ?? 0, widthOf(group))
  }
  const starts: number[] = []
  let x = 0
  for (const width of widths) {
    starts.push(x)
    x += width + gap.x
  }
  for (const group of groups) group.x = starts[group.layer] ?? 0
  return Math.max(x - gap.x, 0)
}
