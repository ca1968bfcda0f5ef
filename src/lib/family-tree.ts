interface Related {
  readonly id: string
  readonly parent: string | null
}

/** A task with its place in the family tree. */
export interface Branch<Member> {
  readonly member: Member
  /** The tree lines in front of it: `│  └─ `. */
  readonly lines: string
  /** How many of the given tasks it started. */
  readonly children: number
}

/**
 * Sorts a family in the order of its tree, each parent before its children. Not recursive, because a family may be
 * 1,000 levels deep.
 */
export function inTreeOrder<Member extends Related>(members: readonly Member[]): Branch<Member>[] {
  const childrenOf = new Map<string | null, Member[]>()
  for (const member of members) {
    const siblings = childrenOf.get(member.parent)
    if (siblings === undefined) childrenOf.set(member.parent, [member])
    else siblings.push(member)
  }
  const branches: Branch<Member>[] = []
  const open = (childrenOf.get(null) ?? []).map((member) => ({ member, lines: '', below: '' }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { member, lines, below } = next
    const children = childrenOf.get(member.id) ?? []
    branches.push({ member, lines, children: children.length })
    const places = children.map((child, at) => ({
      member: child,
      lines: `${below}${at === children.length - 1 ? '└─ ' : '├─ '}`,
      below: `${below}${at === children.length - 1 ? '   ' : '│  '}`,
    }))
    open.push(...places.reverse())
  }
  return branches
}
