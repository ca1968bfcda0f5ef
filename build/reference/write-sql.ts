import { code, type GeneratedPage, generatedNote, plain, table } from './generated-page.ts'
import type { Argument, Verb } from './read-verbs.ts'

/** What a folder of sql/verbs is about. */
const nouns: Readonly<Record<string, string>> = {
  tasks: 'Tasks: enqueue, claim, report, find, change.',
  queues: 'Queues: settings, pauses and numbers.',
  groups: 'Groups: limits that tasks of any queue share.',
  schedules: 'Schedules: plans that make tasks.',
  sql: 'SQL tasks, registered statements and connections, and row triggers.',
  durable: 'Steps, signals, children and streams of durable tasks.',
  procedures: 'Durable procedures: stored procedures that run as tasks and wait inside.',
  operations: 'Operations: something done to all tasks that match a filter.',
  workers: 'Workers make themselves known, sleep and are drained.',
  chores: 'Chores and who leads them.',
  events: 'Events: what happens to tasks, as it happens.',
  push: 'Queues whose tasks are delivered to an endpoint.',
  access: 'Grants, tokens, sessions and requests.',
}

export interface SqlReference {
  readonly verbs: readonly Verb[]
  /** The example of each verb, by its name. */
  readonly examples: ReadonlyMap<string, string>
  /** The name of each SQLSTATE in other languages. */
  readonly codeNames: Readonly<Record<string, string>>
}

/** A page per folder of sql/verbs, and one that lists all verbs. */
export function writeSqlReference(reference: SqlReference): GeneratedPage[] {
  const pages = Object.entries(nouns).map(([noun, about]) => ({
    path: `reference/sql/${noun}.md`,
    text: nounPage(noun, about, reference),
  }))
  const strays = reference.verbs.filter(({ noun }) => nouns[noun] === undefined)
  if (strays.length > 0) throw new Error(`no page for ${strays.map(({ noun }) => noun).join(', ')}`)
  return [{ path: 'reference/sql/index.md', text: indexPage(reference.verbs) }, ...pages]
}

function indexPage(verbs: readonly Verb[]): string {
  const rows = Object.keys(nouns).flatMap((noun) =>
    verbs
      .filter((verb) => verb.noun === noun)
      .map((verb) => [
        `[\`${verb.name}()\`](${noun}.md#${verb.name})`,
        aboutOf(verb),
        roleOf(verb),
      ]),
  )
  return `${generatedNote}

# SQL reference

Every verb of the engine, as an installed database has it. Call them in the schema of the engine, such as \`tusk.enqueue()\`. Arguments
have names: \`tusk.enqueue('mail', p_priority => 5)\`.

The last column names the lowest role that may call a verb. An operator may call what producers and workers may, an admin everything
([access](../../learn/access.md)). What you may read is in the [views](views.md); which verb leads from which state to which is drawn in
[states](../../states.md).

${table(['Verb', 'What it does', 'Role'], rows)}
`
}

function nounPage(
  noun: string,
  about: string,
  { verbs, examples, codeNames }: SqlReference,
): string {
  const sections = verbs
    .filter((verb) => verb.noun === noun)
    .map((verb) => section(verb, examples.get(verb.name), codeNames))
  return `${generatedNote}

# SQL: ${noun}

${about} [All verbs](index.md) · [Views](views.md) · [Errors](../errors.md)

${sections.join('\n\n')}
`
}

function section(
  verb: Verb,
  example: string | undefined,
  names: Readonly<Record<string, string>>,
): string {
  const codes = verb.errors.map((state) => `\`${names[state] ?? state}\` (${state})`)
  return [
    `## ${verb.name}`,
    `**${aboutOf(verb)}**`,
    verb.comment.body,
    ...verb.overloads.flatMap((overload) => [
      overload.args.length === 0 ? 'No arguments.' : argumentTable(overload.args),
      answerOf(overload),
    ]),
    `Role: ${roleOf(verb)}. ${codes.length === 0 ? '' : `Errors: ${codes.join(', ')}.`}`.trim(),
    example === undefined ? '' : `\`\`\`sql\n${example}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function argumentTable(args: readonly Argument[]): string {
  return table(
    ['Argument', 'Type', 'Default'],
    args.map(({ name, type, fallback }) => [
      code(name),
      code(type),
      fallback === null ? 'required' : code(fallback),
    ]),
  )
}

function answerOf({ answer, columns }: Verb['overloads'][number]): string {
  if (answer === 'procedure') return 'A procedure: use `call`.'
  if (answer === 'void') return 'Returns nothing.'
  if (columns.length > 0) {
    const listed = columns.map(({ name, type }) => `\`${name}\` ${type}`).join(', ')
    return `Returns ${/^(TABLE|SETOF)/.test(answer) ? 'rows' : 'a row'} with ${listed}.`
  }
  return `Returns \`${answer.toLowerCase()}\`.`
}

/** The first line of its file without its name: the arrow, or what it does. */
function aboutOf({ comment }: Verb): string {
  const [, after = ''] = /^\w+\(\)\s*[:—-]\s*(.*)$/.exec(comment.title) ?? []
  return plain(after)
}

function roleOf({ overloads }: Verb): string {
  const roles = new Set(overloads.map(({ role }) => (role === null ? 'none; owner only' : role)))
  return [...roles].join(', ')
}
