import type { CommandNode } from './command-tree.ts'

/** A script for bash: words by the command they follow, values by their option. */
export function bashCompletion(nodes: readonly CommandNode[]): string {
  const [program] = nodes
  const everywhere = program?.options ?? []
  const known = nodes.map(({ path }) => path).filter(Boolean)
  return `# Completion of tusk for bash: source <(tusk completion bash)
_tusk() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' word
  local known=' ${known.join(' ')} '
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $known == *" \${path:+$path/}$word "* ]]; then path=\${path:+$path/}$word; fi
  done
  case "$path:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${nodes.map((node) => wordCase(node, everywhere)).join('\n')}
  esac
}
complete -o default -F _tusk tusk
`
}

function valueCases({ path, options }: CommandNode): string[] {
  return options.flatMap(({ long, short, values, takesValue }) => {
    if (!takesValue) return []
    // What the program understands holds after every command.
    const at = path === '' ? '*' : path
    const patterns = [long, short].filter((name) => name !== undefined)
    const reply = values.length === 0 ? 'COMPREPLY=()' : compgen(values)
    return [`    ${patterns.map((name) => `${at}:${name}`).join('|')}) ${reply}; return ;;`]
  })
}

function wordCase(node: CommandNode, everywhere: CommandNode['options']): string {
  const options = node.path === '' ? node.options : [...node.options, ...everywhere]
  const words = [
    ...node.commands.map(({ name }) => name),
    ...node.values,
    ...options.map(({ long }) => long),
    '--help',
  ]
  return `    '${node.path}') ${compgen(words)} ;;`
}

function compgen(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`
}
