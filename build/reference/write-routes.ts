import { code, plain, table } from './generated-page.ts'
import type { OpenApi } from './write-http.ts'

/** A table of all routes under each tag: what the overview of the API lists. */
export function writeRoutes(api: OpenApi): string {
  const tags = new Map<string, string[][]>()
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other'
      const route = code(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`)
      const row = [route, operation['x-tusk-scope'] ?? 'open', plain(operation.summary ?? '')]
      tags.set(tag, [...(tags.get(tag) ?? []), row])
    }
  }
  return [...tags]
    .map(([tag, rows]) => `### ${plain(tag)}\n\n${table(['Route', 'Scope', ''], rows)}`)
    .join('\n\n')
}
