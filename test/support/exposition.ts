export interface ReadFamily {
  readonly type: string
  readonly help: string
  readonly samples: ReadSample[]
}

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/
const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:\\[\\"n]|[^"\\\n])*)"(?:,|$)/y

/** Reads the text of metrics as strictly as the format is written down; what is wrong is thrown. */
export function readExposition(text: string): Map<string, ReadFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended')
  const families = new Map<string, ReadFamily>()
  let help = ''
  let name = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, declared = '', rest = ''] = head.exec(line) ?? []
    if (word === 'HELP') help = rest
    if (word === 'TYPE') {
      declare(families, declared, { type: rest, help, samples: [] })
      name = declared
    }
    if (!line.startsWith('#')) addSample(name, families.get(name), readSample(line))
  }
  return families
}

function declare(families: Map<string, ReadFamily>, name: string, family: ReadFamily): void {
  if (families.has(name)) throw new Error(`${name} is declared twice`)
  families.set(name, family)
}

function addSample(name: string, family: ReadFamily | undefined, read: ReadSample): void {
  if (family === undefined || !belongs(read.name, [name, family])) {
    throw new Error(`${read.name} stands under ${name}`)
  }
  family.samples.push(read)
}

function belongs(name: string, [family, { type }]: [string, ReadFamily]): boolean {
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['', '_total']
  return suffixes.some((suffix) => name === family + suffix)
}

function readSample(line: string): ReadSample {
  const [, name, labels = '', value = ''] = sample.exec(line) ?? []
  if (name === undefined) throw new Error(`no sample: ${line}`)
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)
  if (Number.isNaN(number)) throw new Error(`no value: ${line}`)
  return { name, labels: readLabels(labels), value: number }
}

function readLabels(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const [, name, value = ''] = label.exec(text) ?? []
    if (name === undefined || name in read) throw new Error(`no labels: ${text}`)
    read[name] = value.replaceAll(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))
  }
  return read
}
