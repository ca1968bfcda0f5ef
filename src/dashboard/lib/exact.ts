import type { Json } from '../model.ts'

/** A number whose digits a double does not hold; JSON.stringify() writes them all. */
interface RawNumber {
  readonly rawJSON: string
}

/** What newer browsers have; where they do not, numbers are shown as JavaScript reads them. */
interface ExactJson {
  readonly rawJSON?: (text: string) => RawNumber
  readonly isRawJSON?: (value: unknown) => boolean
}

const exact: ExactJson = JSON as ExactJson

/** Whether digits may have been lost on the way here. */
export function mayBeRounded(value: Json): boolean {
  return /\d{16}|\de[+\d]/.test(JSON.stringify(value))
}

/** Reads JSON and keeps the digits of numbers that would lose some. */
export function parseExact(text: string): Json {
  const { rawJSON } = exact
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }) => {
    const isKept = typeof value !== 'number' || context?.source === undefined
    return isKept || String(value) === context.source ? value : rawJSON?.(context.source)
  }
  return JSON.parse(text, rawJSON === undefined ? undefined : keep) as Json
}

/** JSON for editing: laid out, unless that would cost digits. */
export function layOut(text: string): string {
  return exact.rawJSON === undefined ? text : JSON.stringify(parseExact(text), null, 2)
}

export function isRawNumber(value: unknown): boolean {
  return exact.isRawJSON?.(value) === true
}
