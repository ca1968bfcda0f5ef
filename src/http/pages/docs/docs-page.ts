import { createHash } from 'node:crypto'
import { docsScript } from './docs-script.ts'
import { docsStyle } from './docs-style.ts'
import type { ApiDocument, Schema } from './document.ts'
import { escapeHtml, paragraphs, slug } from './html.ts'
import { type OperationAt, operationHtml } from './operation-html.ts'
import { schemaHtml } from './schema-html.ts'

/** The page's own style and script, known by their hash, and requests to this server: nothing else. */
const policy = [
  "default-src 'none'",
  `style-src '${hashOf(docsStyle)}'`,
  `script-src '${hashOf(docsScript)}'`,
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** The API as a page: each operation rendered, with a form to try it. It needs no script to be read. */
export function docsPage(given: object, basePath: string): Response {
  const document = given as ApiDocument
  const { info, paths, components } = document
  const schemas = components?.schemas ?? {}
  const tags = byTag(paths)
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${docsStyle}</style></head><body>
<nav aria-label="Sections"><p class="back"><a href="${escapeHtml(basePath)}/">Dashboard</a></p>
<ul>${[...tags.keys()].map((tag) => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`).join('')}
<li><a href="#schemas">Schemas</a></li></ul></nav>
<main data-base="${escapeHtml(basePath)}">
<h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)}</small></h1>
${paragraphs(info.description)}
<p><a href="openapi.json">openapi.json</a> has the same for programs.</p>
<form class="who" aria-label="Token"><label for="token">Token for “Try it”</label>
<input id="token" type="password" autocomplete="off" placeholder="the session of the dashboard"> <span id="who" role="status"></span></form>
${[...tags].map(([tag, operations]) => section(tag, operations, schemas)).join('\n')}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(schemas).map(schemaEntry).join('\n')}
</section></main><script>${docsScript}</script></body></html>`
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
}

function byTag(paths: ApiDocument['paths']): Map<string, OperationAt[]> {
  const tags = new Map<string, OperationAt[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      tags.set(tag, [...(tags.get(tag) ?? []), { method, path, operation }])
    }
  }
  return tags
}

function section(
  tag: string,
  operations: readonly OperationAt[],
  schemas: Readonly<Record<string, Schema>>,
): string {
  const entries = operations.map((one) => operationHtml(one, schemas))
  return `<section id="${slug(tag)}"><h2>${escapeHtml(tag)}</h2>\n${entries.join('\n')}</section>`
}

function schemaEntry([name, schema]: readonly [string, Schema]): string {
  const title = escapeHtml(name)
  return `<details class="op" id="schema-${title}"><summary><code>${title}</code></summary><div class="op__body">${schemaHtml(schema)}</div></details>`
}
