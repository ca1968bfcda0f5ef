import type { CommandNode, OptionNode } from './command-tree.ts'

/** A script for fish: one line per word, with the command that it follows. */
export function fishCompletion(nodes: readonly CommandNode[]): string {
  const known = nodes.map(({ path }) => path).filter(Boolean)
  return `# Completion of tusk for fish: tusk completion fish | source
function __tusk_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -l -c / -- "$at/$word")
    if contains -- $next ${known.join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
complete -c tusk -f
${nodes.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, commands, options, values, takesQueue }: CommandNode): string[] {
  // What the program understands holds after every command.
  const where = path === '' ? '' : ` -n '__tusk_at ${path}'`
  const here = ` -n "__tusk_at '${path}'"`
  return [
    ...commands.map(({ name, about }) => `complete -c tusk${here} -a ${name} -d ${quoted(about)}`),
    ...values.map((value) => `complete -c tusk${here} -a ${value}`),
    ...(takesQueue ? [`complete -c tusk${here} -a ${queues}`] : []),
    ...options.map((option) => `complete -c tusk${where}${flagsOf(option)}`),
  ]
}

const queues = "'(tusk completion queues 2>/dev/null)'"

function flagsOf({ long, short, about, takesValue, takesQueue, values }: OptionNode): string {
  const open = takesQueue ? ` -xa ${queues}` : ' -r'
  return [
    ` -l ${long.replace(/^--/, '')}`,
    short === undefined ? '' : ` -s ${short.replace(/^-/, '')}`,
    ` -d ${quoted(about)}`,
    values.length > 0 ? ` -xa '${values.join(' ')}'` : takesValue ? open : '',
  ].join('')
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
