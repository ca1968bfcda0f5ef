import { Problem } from '../answers/problem.ts'
import type { Exchange } from '../requests/exchange.ts'
import type { Caller } from './caller.ts'

/**
 * Refuses what another site made a browser send with our cookie: a write, or a stream, must carry a
 * header that forms cannot set, and come from our own pages. Tokens in a header need none of this.
 */
export function refuseCrossSite(caller: Caller, exchange: Exchange, isStream: boolean): void {
  const { request, origin } = exchange
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  if (caller.by !== 'session' || !(isWrite || isStream)) return
  if (request.headers.get('x-tusk-csrf') !== '1') {
    throw crossSite('a request with a session cookie needs the header X-Tusk-Csrf: 1')
  }
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw crossSite(`it comes from ${site}`)
  // Browsers name the origin of every write; of a GET from the page itself they do not.
  const from = request.headers.get('origin')
  if (from === null ? isWrite : from !== origin) {
    throw crossSite(from === null ? 'it names no Origin' : `${from} is not ${origin}`)
  }
}

function crossSite(detail: string): Problem {
  return new Problem(403, 'cross_site', detail, {
    hint: 'Sessions work only from the pages of this server. Programs send a bearer token.',
  })
}
