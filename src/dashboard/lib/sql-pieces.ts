/** A piece of SQL of one kind; together the pieces are the text, character by character. */
export interface SqlPiece {
  readonly kind: 'keyword' | 'string' | 'comment' | 'number' | 'param' | 'name' | 'plain'
  readonly text: string
}

const keywords = new Set(
  `all alter analyze and any array as asc begin between by call cascade case cast check column
   commit conflict constraint copy create cross default delete desc distinct do drop else end except
   exists explain false filter for foreign from full function grant group having if ilike in index
   inner insert interval into is join key lateral left like limit lock materialized merge not
   notify null of offset on only or order outer over partition primary recursive references
   refresh replace returning revoke right rollback row schema select set show table temp then to
   trigger true truncate union unique update using vacuum values view when where window with`.split(
    /\s+/,
  ),
)

/** The kinds in the order in which they are tried, all sticky: each begins where the last one ended. */
const kinds: readonly (readonly [SqlPiece['kind'] | 'word', RegExp])[] = [
  ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?(?:\$\1\$|$)/y],
  ['string', /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/y],
  ['string', /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$)/y],
  ['name', /(?:[uU]&)?"(?:[^"]|"")*(?:"|$)/y],
  ['param', /\$\d+/y],
  ['number', /(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['plain', /\s+|[\s\S]/y],
]

export function sqlPieces(sql: string): SqlPiece[] {
  const pieces: SqlPiece[] = []
  for (let at = 0; at < sql.length; ) {
    const piece = pieceAt(sql, at)
    at += piece.text.length
    const last = pieces.at(-1)
    if (last?.kind === 'plain' && piece.kind === 'plain') {
      pieces[pieces.length - 1] = { kind: 'plain', text: last.text + piece.text }
    } else {
      pieces.push(piece)
    }
  }
  return pieces
}

function pieceAt(sql: string, at: number): SqlPiece {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at
    const text = pattern.exec(sql)?.[0]
    if (text === undefined || text === '') continue
    if (kind !== 'word') return { kind, text }
    return { kind: keywords.has(text.toLowerCase()) ? 'keyword' : 'plain', text }
  }
  return { kind: 'plain', text: sql.slice(at, at + 1) }
}

/** The pieces with one character of the text marked, counted from 1 in characters as Postgres counts. */
export function markPosition(
  pieces: readonly SqlPiece[],
  position: number | undefined,
): readonly (SqlPiece & { readonly marked?: boolean })[] {
  if (position === undefined) return pieces
  let seen = 0
  return pieces.flatMap((piece) => {
    const characters = [...piece.text]
    const from = position - 1 - seen
    seen += characters.length
    if (from < 0 || from >= characters.length) return [piece]
    // Words and strings are marked whole; of plain text, up to its next space.
    const isWhole = piece.kind !== 'plain'
    const start = isWhole ? 0 : from
    const rest = characters.slice(start).join('')
    const length = isWhole ? characters.length : [...(/^\S*/.exec(rest)?.[0] ?? '')].length || 1
    const cut = (a: number, b: number) => ({
      kind: piece.kind,
      text: characters.slice(a, b).join(''),
    })
    return [
      cut(0, start),
      { ...cut(start, start + length), marked: true },
      cut(start + length, characters.length),
    ].filter(({ text }) => text !== '')
  })
}
