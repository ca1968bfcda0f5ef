import type { CommandNode, OptionNode } from './command-tree.ts'

/** A script for zsh: the same words as for bash, with what they mean. */
export function zshCompletion(nodes: readonly CommandNode[]): string {
  const [program] = nodes
  const everywhere = program?.options ?? []
  const known = nodes.map(({ path }) => path).filter(Boolean)
  return `#compdef tusk
# Completion of tusk for zsh: source <(tusk completion zsh)
_tusk() {
  local at='' word prev=\${words[CURRENT-1]}
  local known=' ${known.join(' ')} '
  for word in \${words[2,CURRENT-1]}; do
    if [[ $known == *" \${at:+$at/}$word "* ]]; then at=\${at:+$at/}$word; fi
  done
  case "$at:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  local -a found
  case "$at" in
${nodes.map((node) => wordCase(node, everywhere)).join('\n')}
  esac
  _describe tusk found
}
compdef _tusk tusk
`
}

function valueCases({ path, options }: CommandNode): string[] {
  return options.flatMap(({ long, short, values, takesValue, takesQueue }) => {
    if (!takesValue) return []
    const at = path === '' ? '*' : path
    const patterns = [long, short].filter((name) => name !== undefined)
    const offer = takesQueue ? queues : '_files'
    const reply = values.length === 0 ? offer : `compadd -- ${values.join(' ')}`
    return [`    ${patterns.map((name) => `${at}:${name}`).join('|')}) ${reply}; return ;;`]
  })
}

function wordCase(node: CommandNode, everywhere: readonly OptionNode[]): string {
  const options = node.path === '' ? node.options : [...node.options, ...everywhere]
  const words = [
    ...node.commands.map(({ name, about }) => described(name, about)),
    ...node.values.map((value) => described(value, '')),
    ...options.map(({ long, about }) => described(long, about)),
  ]
  const names = node.takesQueue ? `; [[ $PREFIX == -* ]] || ${queues}` : ''
  return `    '${node.path}') found=(${words.join(' ')})${names} ;;`
}

const queues = `compadd -- \${(f)"$(tusk completion queues 2>/dev/null)"}`

/** `'name:what it means'`; colons part the two, and quotes end the text. */
function described(name: string, about: string): string {
  const text = about.replaceAll(/[:\\]/g, '\\$&').replaceAll("'", '’')
  return `'${name.replaceAll(':', '\\:')}${text === '' ? '' : `:${text}`}'`
}
