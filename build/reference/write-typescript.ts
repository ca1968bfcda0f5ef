import { join } from 'node:path'
import { code, type GeneratedPage, generatedNote, plain, table } from './generated-page.ts'
import { type Declaration, type Member, readDeclarations } from './read-declarations.ts'

const entries = [
  {
    path: 'index',
    module: 'pgtusk',
    about: 'The client, workers and everything they take and give.',
  },
  {
    path: 'adapters/index',
    module: 'pgtusk/adapters',
    about: 'Transactions of other libraries, for the option `on`.',
  },
  {
    path: 'http/index',
    module: 'pgtusk/http',
    about: 'The HTTP API and the dashboard in a server of your own.',
  },
  { path: 'testing/index', module: 'pgtusk/testing', about: 'Your handlers inside your tests.' },
]

const headings = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['const', 'Values'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
] as const

/** Of a module with more exports than that, interfaces and types have a page of their own. */
const mostOnOnePage = 60

/** Each module of the package with its exports, by the declarations in this folder. */
export function readModules(folder: string) {
  return entries.map((entry) => ({
    ...entry,
    exports: readDeclarations(join(folder, `${entry.path}.d.ts`)),
  }))
}

/** A page per module of the package, and one for the types of a large module. */
export function writeTypescript(folder: string): GeneratedPage[] {
  return readModules(folder).flatMap(({ module, about, exports }) => {
    const path = `reference/typescript/${module.replace('/', '-')}`
    if (exports.length <= mostOnOnePage) return [modulePage(path, module, about, exports)]
    const isType = ({ kind }: Declaration) => kind === 'interface' || kind === 'type'
    const [code, types] = [exports.filter((each) => !isType(each)), exports.filter(isType)]
    return [
      modulePage(path, module, `${about} Its types have [a page](pgtusk-types.md).`, code),
      modulePage(`${path}-types`, module, 'Options, settings, rows and results.', types),
    ]
  })
}

function modulePage(
  path: string,
  module: string,
  about: string,
  exports: readonly Declaration[],
): GeneratedPage {
  const sections = headings.flatMap(([kind, heading]) => {
    const ofKind = exports.filter((each) => each.kind === kind)
    if (ofKind.length === 0) return []
    return [`## ${heading}`, ...ofKind.sort((a, b) => (a.name < b.name ? -1 : 1)).map(section)]
  })
  const title = path.endsWith('-types') ? `${module}, types` : module
  const text = `${generatedNote}

# TypeScript: ${title}

${about} [Overview](../client.md)

\`\`\`ts
import { … } from '${module}'
\`\`\`

${sections.join('\n\n')}
`
  return { path: `${path}.md`, text }
}

function section(declaration: Declaration): string {
  const { name, kind, text, doc, members } = declaration
  const isSimple = kind === 'interface' && members.every((member) => isProperty(member))
  return [
    `### ${name}`,
    words(doc),
    `\`\`\`ts\n${text}\n\`\`\``,
    isSimple ? propertyTable(members) : members.map(memberSection).join('\n\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function isProperty({ text }: Member): boolean {
  return /^(readonly )?\w+\??: /.test(text)
}

function propertyTable(members: readonly Member[]): string {
  if (members.length === 0) return ''
  const rows = members.map(({ text, doc }) => {
    const [, name = '', type = ''] = /^(?:readonly )?(\w+\??): ([\s\S]*)$/.exec(text) ?? []
    return [code(name), code(type.replaceAll(/\s+/g, ' ')), words(doc)]
  })
  return table(['Property', 'Type', ''], rows)
}

function memberSection({ name, text, doc }: Member): string {
  const said = words(doc)
  const heading = /^\w+$/.test(name) ? `#### ${name}\n\n` : ''
  return `${heading}\`\`\`ts\n${text}\n\`\`\`${said === '' ? '' : `\n\n${said}`}`
}

/** TSDoc as Markdown. */
function words(doc: string): string {
  const text = doc
    .replaceAll(/\{@link ([^}]*)\}/g, '`$1`')
    .replaceAll(/^@param (\w+) -?\s*/gm, '\n`$1`: ')
    .replaceAll(/^@returns?\s+/gm, '\nReturns ')
    .replaceAll(/^@example\s*/gm, '\nExample:\n\n')
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part, n) => (n % 2 === 1 ? part : plain(part)))
    .join('')
    .trim()
}
