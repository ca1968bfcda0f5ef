import type { CommandNode } from './command-tree.ts'

/** A script for bash: words by the command they follow, values by their option. */
export function bashCompletion(nodes: readonly CommandNode[]): string {
  const [program] = nodes
  const everywhere = program?.options ?? []
  const known = nodes.map(({ path }) => path).filter(Boolean)
  return `# Completion of tusk for bash: source <(tusk completion bash)
_tusk_queues() {
  # Not by compgen -W, which would run what stands in a name.
  local name
  while IFS= read -r name; do
    if [[ $name == "$1"* ]]; then COMPREPLY+=("$(printf %q "$name")"); fi
  done < <(tusk completion queues 2>/dev/null)
}
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
  return options.flatMap(({ long, short, values, takesValue, takesQueue }) => {
    if (!takesValue) return []
    // What the program understands holds after every command.
    const at = path === '' ? '*' : path
    const patterns = [long, short].filter((name) => name !== undefined)
    const offer = takesQueue ? `COMPREPLY=(); ${queues}` : 'COMPREPLY=()'
    const reply = values.length === 0 ? offer : compgen(values)
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
  // A word that begins with a dash is an option, which needs no database.
  const names = node.takesQueue ? `; if [[ $cur != -* ]]; then ${queues}; fi` : ''
  return `    '${node.path}') ${compgen(words)}${names} ;;`
}

const queues = '_tusk_queues "$cur"'

function compgen(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`
}
