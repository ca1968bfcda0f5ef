import { stringify } from 'yaml'

export type Values = Readonly<Record<string, unknown>>

/**
 * Renders what the chart's templates use of Helm, and refuses all else: values, `if` and `if not`, `quote`, and
 * `toYaml | nindent`. Helm itself is not to be had from npm or Debian.
 */
export function renderTemplate(template: string, context: Values): string {
  const open: boolean[] = []
  const lines: string[] = []
  for (const line of template.split('\n')) {
    const block = /^\s*\{\{- (if|end)\b(.*?) ?\}\}$/.exec(line)
    if (block?.[1] === 'if') open.push(isTrue(block[2] ?? '', context))
    else if (block?.[1] === 'end') open.pop()
    else if (open.every(Boolean)) lines.push(renderLine(line, context))
  }
  if (open.length > 0) throw new Error('an if has no end')
  return lines.join('\n')
}

function isTrue(words: string, context: Values): boolean {
  const [, not, path = ''] = /^ (not )?(\.[\w.]+)$/.exec(words) ?? []
  return Boolean(lookUp(path, context)) !== (not !== undefined)
}

function renderLine(line: string, context: Values): string {
  const yaml = /^\s*\{\{- toYaml (\.[\w.]+) \| nindent (\d+) \}\}$/.exec(line)
  if (yaml !== null) return indent(stringify(lookUp(yaml[1] ?? '', context)), Number(yaml[2]))
  return line.replaceAll(/\{\{(.*?)\}\}/g, (_, words: string) => {
    const [, path = '', quote] = /^ (\.[\w.]+)( \| quote)? $/.exec(words) ?? []
    const text = String(lookUp(path, context))
    return quote === undefined ? text : JSON.stringify(text)
  })
}

function indent(text: string, by: number): string {
  return text.trimEnd().replaceAll(/^/gm, ' '.repeat(by))
}

function lookUp(path: string, context: Values): unknown {
  const names = path.split('.').slice(1)
  if (names.length === 0) throw new Error('a template uses more of Helm than this test renders')
  return names.reduce<unknown>((value, name) => {
    const found = (value as Values | undefined)?.[name]
    if (found === undefined) throw new Error(`the chart has no value ${path}`)
    return found
  }, context)
}
