import { Problem } from '../answers/problem.ts'

/** Where a client has come: behind which event, and in a stream of one task behind which line of its log. */
export interface Place {
  readonly event: bigint
  readonly line: string
}

const wellFormed = /^(\d{1,19})(?:\.(\d{1,18}))?$/

/** What `Last-Event-ID` or `?after=` says; undefined when neither does. The header is the newer one. */
export function readPlace(request: Request, after: string | undefined): Place | undefined {
  const given = request.headers.get('last-event-id') ?? after
  if (given === undefined || given === '') return undefined
  const found = wellFormed.exec(given)
  if (found === null) throw unknown(given)
  return { event: BigInt(found[1] ?? 0), line: found[2] ?? '0' }
}

function unknown(given: string): Problem {
  const text = `${JSON.stringify(given.slice(0, 50))} is no id of an event`
  return new Problem(422, 'invalid_request', text, {
    hint: 'Give the id of the last message you saw, or leave it out to begin with what comes.',
    errors: [{ path: 'query.after', message: 'no id of an event' }],
  })
}
