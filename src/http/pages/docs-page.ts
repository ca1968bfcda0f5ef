import { createHash } from 'node:crypto'

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-tusk-scope'?: string
  readonly requestBody?: object
  readonly parameters?: readonly object[]
  readonly responses?: object
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> }
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; padding: .3rem 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: .6rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
b { display: inline-block; min-width: 4.5em; }
small { opacity: .75; }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The document as a page without scripts: nothing to load, and nothing that could be run. */
export function docsPage(document: object): Response {
  const { info, paths, components } = document as Document
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body>
<h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1>
${info.description
  .split('\n\n')
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join('\n')}
<p><a href="openapi.json">openapi.json</a></p>
${sections(paths)}
<h2>Schemas</h2>
${Object.entries(components?.schemas ?? {})
  .map(([name, schema]) => folded(`<code>${escapeHtml(name)}</code>`, schema))
  .join('\n')}
</body></html>`
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
}

function sections(paths: Document['paths']): string {
  const byTag = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? ''
      byTag.set(tag, [...(byTag.get(tag) ?? []), entry(method, path, operation)])
    }
  }
  return [...byTag]
    .map(([tag, entries]) => `<h2>${escapeHtml(tag)}</h2>\n${entries.join('\n')}`)
    .join('\n')
}

function entry(method: string, path: string, operation: Operation): string {
  const { summary = '', description, parameters, requestBody, responses } = operation
  const scope = operation['x-tusk-scope'] ?? ''
  const head = `<b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)} <small>${escapeHtml(scope)}</small>`
  return folded(head, { parameters, requestBody, responses }, description)
}

function folded(head: string, value: object, text?: string): string {
  const note = text === undefined ? '' : `<p>${escapeHtml(text)}</p>`
  const json = escapeHtml(JSON.stringify(value, null, 2))
  return `<details><summary>${head}</summary>${note}<pre>${json}</pre></details>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
