import { findJsonFault } from '../../lib/json-fault.ts'
import { Problem } from '../answers/problem.ts'

/** Refuses a payload that is given as a text and is not JSON, or is given twice. */
export function requireText(text: string | undefined, payload: unknown): void {
  if (text === undefined) return
  if (payload !== undefined) throw refusedText('there is a payload besides')
  const fault = findJsonFault(text, { keepsDigits: true })
  if (fault !== undefined) throw refusedText(`${fault.what} at character ${fault.at + 1}`)
}

export function refusedText(message: string): Problem {
  return new Problem(422, 'invalid_request', `payload_text: ${message}`, {
    errors: [{ path: 'body.payload_text', message }],
  })
}
