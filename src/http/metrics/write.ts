/** What may be read of a metric: its name, what it means, and its values by label. */
export interface Family {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** Behind the name of the family: `_bucket`, `_sum`, `_count`; nothing unless it is a histogram. */
  readonly suffix?: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Prometheus's own format, or the standard that grew out of it. */
export type Format = 'text' | 'openmetrics'

export const contentTypes: Readonly<Record<Format, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** The format that the client prefers. */
export function formatFor(accept: string | null): Format {
  return accept?.includes('application/openmetrics-text') === true ? 'openmetrics' : 'text'
}

export function write(families: readonly Family[], format: Format): string {
  const text = families.map((family) => writeFamily(family, format)).join('')
  return format === 'openmetrics' ? `${text}# EOF\n` : text
}

/** A counter is declared without `_total` in OpenMetrics, and with it elsewhere. */
function writeFamily({ name, type, help, samples }: Family, format: Format): string {
  const declared =
    format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name
  const head = `# HELP ${declared} ${escapeHelp(help, format)}\n# TYPE ${declared} ${type}\n`
  return head + samples.map((sample) => writeSample(name, sample)).join('')
}

function writeSample(name: string, { suffix = '', labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  const all = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix}${all} ${inText(value)}\n`
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** OpenMetrics escapes quotes here too. */
function escapeHelp(text: string, format: Format): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return format === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped
}

function inText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(value)
}
