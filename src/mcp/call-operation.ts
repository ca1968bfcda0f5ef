import { type Argument, argumentsOf } from './argument.ts'
import type { Operation } from './operation.ts'

/** Sends a request to the API and gives its answer, with the token of this session. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  readonly isError: boolean
  readonly text: string
}

/** Lists give this many unless the agent asks for more: its context is worth more than our page size. */
const defaultLimit = 20

/** No answer is longer, whatever the agent asks for. */
export const mostCharacters = 60_000

/** Calls the API with the arguments of a tool; a refusal of the API is an outcome, too. */
export async function callOperation(
  operation: Operation,
  given: Arguments,
  ask: Ask,
  signal?: AbortSignal,
): Promise<Outcome> {
  const known = argumentsOf(operation)
  const unknown = Object.keys(given).filter((name) => known.every((each) => each.name !== name))
  if (unknown.length > 0) return refuseUnknown(operation.name, unknown, known)
  const values = valuesOf(known, given)
  const body = values.find(({ place }) => place === 'body')
  const response = await ask(addressOf(operation.path, values), {
    method: operation.method,
    headers: headersOf(values),
    ...(body === undefined ? {} : { body: JSON.stringify(body.value) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  return { isError: !response.ok, text: bounded(text || `Done (${response.status}).`) }
}

function refuseUnknown(tool: string, unknown: readonly string[], known: readonly Argument[]) {
  const names = known.map(({ name }) => name).join(', ') || 'none'
  const text = `${tool} has no argument ${unknown.join(', ')}. Its arguments: ${names}.`
  return { isError: true, text }
}

interface Value extends Argument {
  readonly value: unknown
}

function valuesOf(known: readonly Argument[], given: Arguments): Value[] {
  return known
    .map((each) => {
      const isLimit = each.place === 'query' && each.name === 'limit'
      return { ...each, value: given[each.name] ?? (isLimit ? defaultLimit : undefined) }
    })
    .filter(({ value }) => value !== undefined)
}

function addressOf(path: string, values: readonly Value[]): string {
  const query = new URLSearchParams()
  let address = path
  for (const { place, sentAs, value } of values) {
    if (place === 'path') address = address.replace(`{${sentAs}}`, encodeURIComponent(`${value}`))
    if (place === 'query') for (const each of [value].flat()) query.append(sentAs, `${each}`)
  }
  return query.size === 0 ? address : `${address}?${query}`
}

function headersOf(values: readonly Value[]): Record<string, string> {
  const own = values.filter(({ place }) => place === 'header')
  const type = values.some(({ place }) => place === 'body') ? 'application/json' : undefined
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...Object.fromEntries(own.map(({ sentAs, value }) => [sentAs, String(value)])),
  }
}

function bounded(text: string): string {
  if (text.length <= mostCharacters) return text
  return `${text.slice(0, mostCharacters)}\n… cut after ${mostCharacters} of ${text.length} characters. Ask for less: a smaller limit, a filter, or one task by its id.`
}
