import { plain } from './generated-page.ts'

/** The comment that a file or a function opens with: what its first line says, and the paragraphs below. */
export interface Comment {
  readonly title: string
  readonly body: string
}

/** Reads the `--` lines at the beginning of a text. */
export function readComment(text: string): Comment {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) break
    lines.push(line.slice(2).replace(/^ /, ''))
  }
  const [title = '', ...rest] = lines
  return { title, body: blocksOf(rest).join('\n\n') }
}

/** Paragraphs, and indented lines as code. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: { isCode: boolean; lines: string[] }[] = []
  for (const line of lines) {
    const isCode = /^ {2,}\S/.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') {
      if (last?.lines.length) blocks.push({ isCode: false, lines: [] })
    } else if (last !== undefined && (last.lines.length === 0 || last.isCode === isCode)) {
      blocks[blocks.length - 1] = { isCode, lines: [...last.lines, line] }
    } else blocks.push({ isCode, lines: [line] })
  }
  return blocks.filter((block) => block.lines.length > 0 && !isExample(block)).map(shown)
}

/** SQL to try: the reference has an example of its own, which a test runs. */
function isExample({ isCode, lines }: { isCode: boolean; lines: readonly string[] }): boolean {
  return isCode && /^ *(select|call) /.test(lines[0] ?? '')
}

function shown({ isCode, lines }: { isCode: boolean; lines: readonly string[] }): string {
  if (!isCode) return plain(lines.join('\n'))
  const indent = Math.min(...lines.map((line) => line.search(/\S/)))
  return `\`\`\`text\n${lines.map((line) => line.slice(indent)).join('\n')}\n\`\`\``
}
