import type { Command, Option } from 'commander'
import { examplesOf } from '../../src/cli/options/examples.ts'
import { code, type GeneratedPage, generatedNote, plain, table } from './generated-page.ts'

/** Every command of the command line with its arguments, options and examples. */
export function writeCommands(program: Command): GeneratedPage {
  const sections = program.commands.flatMap((command) => [
    section(command, `tusk ${command.name()}`, 2),
    ...command.commands.map((sub) => section(sub, `tusk ${command.name()} ${sub.name()}`, 3)),
  ])
  const text = `${generatedNote}

# Command line: commands

Every command, as \`tusk <command> --help\` shows it. How output, exit codes and queries work is in the [overview](cli.md).

Every command takes these options:

${optionTable(program.options)}

${sections.join('\n\n')}
`
  return { path: 'reference/commands.md', text }
}

function section(command: Command, name: string, level: number): string {
  const isNoun = command.commands.length > 0
  const examples = examplesOf(command)
  const args = command.registeredArguments.map((each) => [
    code(each.name()),
    plain(each.description),
  ])
  return [
    `${'#'.repeat(level)} ${name}`,
    sentence(command.description()),
    isNoun ? '' : `\`\`\`text\n${name} ${command.usage()}\n\`\`\``,
    args.some(([, about]) => about !== '') ? table(['Argument', ''], args) : '',
    optionTable(command.options),
    examples.length === 0 ? '' : `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function optionTable(options: readonly Option[]): string {
  const shown = options.filter(({ hidden }) => !hidden)
  if (shown.length === 0) return ''
  const rows = shown.map(({ flags, description, argChoices, defaultValue }) => {
    const choices = argChoices === undefined ? '' : ` One of ${argChoices.map(code).join(', ')}.`
    const fallback =
      defaultValue === undefined || defaultValue === true
        ? ''
        : ` Default: ${code(String(defaultValue))}.`
    return [code(flags), `${sentence(description)}${choices}${fallback}`]
  })
  return table(['Option', ''], rows)
}

function sentence(text: string): string {
  const words = plain(text)
  if (words === '') return ''
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? '' : '.'}`
}
