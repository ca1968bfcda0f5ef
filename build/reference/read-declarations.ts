import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'

/** A public member of a class or an interface. */
export interface Member {
  readonly name: string
  /** Its declaration on one line, as the compiler wrote it. */
  readonly text: string
  readonly doc: string
}

export interface Declaration {
  readonly name: string
  readonly kind: 'class' | 'interface' | 'function' | 'type' | 'const'
  /** Of a class or interface its head, of anything else all of it. */
  readonly text: string
  readonly doc: string
  readonly members: readonly Member[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const kinds: Readonly<Record<string, Declaration['kind']>> = {
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSDeclareFunction: 'function',
  TSTypeAliasDeclaration: 'type',
  VariableDeclaration: 'const',
}

/** Everything that a module exports, read from the declarations that the compiler wrote. */
export function readDeclarations(file: string): Declaration[] {
  const source = readFileSync(file, 'utf8')
  return parse(source).flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const from = (node['source'] as { value?: string } | null)?.value
    if (from === undefined) return declared(node, source)
    const wanted = (node['specifiers'] as Node[]).map((each) => [
      (each['local'] as { name: string }).name,
      (each['exported'] as { name: string }).name,
    ])
    const there = readDeclarations(join(dirname(file), from.replace(/\.(js|ts)$/, '.d.ts')))
    return wanted.flatMap(([local, name = '']) => {
      const found = there.filter((each) => each.name === local)
      if (found.length === 0) throw new Error(`${file} exports ${local}, which ${from} does not`)
      return found.map((each) => ({ ...each, name }))
    })
  })
}

function parse(source: string): Node[] {
  return parseAst(source, { lang: 'dts' }).body as unknown as Node[]
}

/** What one `export …` declares here. Several signatures of a function are several declarations. */
function declared(node: Node, source: string): Declaration[] {
  const inner = node['declaration'] as Node | null
  const kind = kinds[inner?.type ?? '']
  if (inner === null || kind === undefined) return []
  const id = inner['id'] ?? (inner['declarations'] as Node[])[0]?.['id']
  const body = inner['body'] as Node | null | undefined
  const hasMembers = kind === 'class' || kind === 'interface'
  const end = hasMembers && body ? body.start : node.end
  const text = source
    .slice(node.start, end)
    .replace(/^export (declare )?/, '')
    .trim()
  return [
    {
      name: (id as { name: string }).name,
      kind,
      text: withoutComments(text),
      doc: docBefore(source, node.start),
      members: hasMembers && body ? membersOf(body, source) : [],
    },
  ]
}

function membersOf(body: Node, source: string): Member[] {
  return (body['body'] as Node[]).flatMap((member) => {
    const key = member['key'] as { type: string; name?: string; value?: string } | undefined
    const access = member['accessibility']
    const isHidden =
      access === 'private' || access === 'protected' || member['kind'] === 'constructor'
    if (isHidden || key?.type === 'PrivateIdentifier') return []
    const text = withoutComments(source.slice(member.start, member.end))
      .replace(/;$/, '')
      .replaceAll(/^ {4}/gm, '')
    return [{ name: key?.name ?? key?.value ?? text, text, doc: docBefore(source, member.start) }]
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, '').trim()
}

/** The TSDoc comment that ends where a declaration begins. */
function docBefore(source: string, start: number): string {
  const before = source.slice(0, start).trimEnd()
  const from = before.lastIndexOf('/**')
  if (
    !before.endsWith('*/') ||
    from < 0 ||
    before.slice(from).indexOf('*/') !== before.length - from - 2
  )
    return ''
  return before
    .slice(from + 3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}
