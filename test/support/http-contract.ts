import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>
}

/** Holds answers to what the OpenAPI document says of them. */
export type Contract = (method: string, path: string, answer: Answered) => void

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Reads the document once; a property that is not declared there is a fault too. */
export function openContract(document: unknown): Contract {
  const { paths } = document as Described
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(closed(document) as object, 'api')
  const valid = (pointer: string, answer: Answered, what: string) => {
    const check = ajv.compile({ $ref: `api#/${pointer}` })
    if (!check(answer.body)) {
      expect.fail(
        `${what} ${answer.status}: ${ajv.errorsText(check.errors)} in ${text(answer.body)}`,
      )
    }
  }
  return (method, path, answer) => {
    const what = `${method} ${path}`
    if (answer.headers.get('content-type') === 'application/problem+json') {
      valid('components/schemas/Problem', answer, what)
      return
    }
    const found = Object.keys(paths).filter((one) => patternOf(one).test(path))
    const template = found.find((one) => !one.includes('{')) ?? found[0]
    const responses = paths[template ?? '']?.[method.toLowerCase()]?.responses
    const declared = (responses as Record<string, { content?: object }> | undefined)?.[
      answer.status
    ]
    if (template === undefined || declared === undefined) {
      expect.fail(`${what} answered ${answer.status}, which is not in the document`)
    }
    if (declared.content === undefined) {
      expect(answer.body, what).toBeUndefined()
    } else if ('application/json' in declared.content) {
      const place = ['paths', template, method.toLowerCase(), 'responses', String(answer.status)]
      const pointer = [...place, 'content', 'application/json', 'schema'].map(escaped).join('/')
      valid(pointer, answer, what)
    }
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** With every object that names its properties closed to others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]))
  const isOpen = 'properties' in copy && 'type' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 500)
}
