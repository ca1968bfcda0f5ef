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
  const text = `${JSON.stringify(given.slice(0, 50))} is not the id of an event`
  return new Problem(422, 'invalid_request', text, {
    hint: 'Give the id of the last message you saw, or leave it out to begin with what comes.',
    errors: [{ path: 'query.after', message: 'not the id of an event' }],
  })
}

/** The same for the stream of one task, whose places are counted from 1; '0' when nothing says where. */
export function readChunkPlace(request: Request, after: string | undefined): string {
  const given = request.headers.get('last-event-id') ?? after ?? ''
  if (given === '') return '0'
  if (/^\d{1,18}$/.test(given)) return given
  const text = `${JSON.stringify(given.slice(0, 50))} is not the place of a chunk`
  throw new Problem(422, 'invalid_request', text, {
    hint: 'Give the id of the last message you saw, or leave it out to read from the beginning.',
    errors: [{ path: 'query.after', message: 'not the place of a chunk' }],
  })
}
