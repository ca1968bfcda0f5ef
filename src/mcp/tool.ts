import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { argumentsOf } from './argument.ts'
import { type ApiDocument, componentPath, type JsonSchema, type Operation } from './operation.ts'

/** An operation as MCP describes tools. */
export function toolOf(operation: Operation, document: ApiDocument): Tool {
  const { name, summary, description, method, isRead, scope } = operation
  return {
    name,
    title: summary,
    description: description === '' ? summary : `${summary}\n\n${description}`,
    inputSchema: inputSchemaOf(operation, document),
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      // Enqueueing and signals only add. Whatever else changes something may take something away.
      destructiveHint: !isRead && scope !== 'enqueue',
      idempotentHint: isRead || method === 'PUT' || method === 'DELETE',
      openWorldHint: false,
    },
  }
}

function inputSchemaOf(operation: Operation, { components }: ApiDocument) {
  const all = argumentsOf(operation)
  const properties = Object.fromEntries(all.map(({ name, schema }) => [name, schema]))
  const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const definitions = definitionsFor(properties, components?.schemas ?? {})
  return {
    type: 'object' as const,
    properties: withLocalRefs(properties) as Record<string, object>,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 ? { $defs: withLocalRefs(definitions) } : {}),
  }
}

/** The schemas that others point at, and those that these point at. */
function definitionsFor(root: unknown, schemas: Readonly<Record<string, JsonSchema>>) {
  const found: Record<string, JsonSchema> = {}
  const open: unknown[] = [root]
  while (open.length > 0) {
    for (const ref of refsIn(open.pop())) {
      const name = ref.slice(componentPath.length)
      if (name in found) continue
      found[name] = schemas[name] ?? {}
      open.push(found[name])
    }
  }
  return found
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : refsIn(part),
  )
}

function withLocalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalRefs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === '$ref' && typeof part === 'string'
        ? [key, part.replace(componentPath, '#/$defs/')]
        : [key, withLocalRefs(part)],
    ),
  )
}
