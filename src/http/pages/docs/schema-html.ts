import { refName, type Schema } from './document.ts'
import { escapeHtml, words } from './html.ts'

/** A type in a few words: `string (date-time)`, `Task`, `integer or null`, `array of string`. */
export function typeHtml(schema: Schema | undefined): string {
  if (schema === undefined) return 'any'
  if (schema.$ref !== undefined) {
    const name = escapeHtml(refName(schema.$ref))
    return `<a href="#schema-${name}">${name}</a>`
  }
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeHtml))].join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeHtml).join(' and ')
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(' or ')
  const types = [schema.type ?? 'any'].flat().map((type) => plainType(type, schema))
  return types.join(' or ')
}

function plainType(type: string, { items, format }: Schema): string {
  if (type === 'array') return `array of ${typeHtml(items)}`
  return format === undefined ? escapeHtml(type) : escapeHtml(`${type} (${format})`)
}

function code(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`
}

/** What an object has, a row for each property; another type in words. */
export function schemaHtml(schema: Schema): string {
  const { properties } = schema
  if (properties === undefined) return `<p>${typeHtml(schema)}</p>`
  const required = new Set(schema.required)
  const rows = Object.entries(properties).map(
    ([name, one]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.has(name) ? mark : ''}</th>` +
      `<td>${typeHtml(one)}</td><td>${words(one.description ?? '')}${nested(one)}</td></tr>`,
  )
  return table(['Property', 'Type', 'Meaning'], rows)
}

/** An object without a name stands where it is used. */
function nested(schema: Schema): string {
  const inner = schema.items ?? schema
  return inner.$ref === undefined && inner.properties !== undefined ? schemaHtml(inner) : ''
}

export const mark = ' <small class="need">required</small>'

export function table(heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col">${head}</th>`).join('')
  return `<div class="scroll"><table><thead><tr>${cells}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}
