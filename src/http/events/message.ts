/** One message of a stream of server-sent events. Data is JSON, which has no line breaks. */
export function message(event: string, json: string, id?: string): string {
  const place = id === undefined ? '' : `id: ${id}\n`
  return `${place}event: ${event}\ndata: ${json}\n\n`
}

/** Moves the place that a client will go on from, without saying anything. */
export function placeOnly(id: string): string {
  return `id: ${id}\n\n`
}

/** Keeps the connection warm. */
export const comment = ':\n\n'

/** How soon a client should come back after it was cut off. */
export function retryAfter(ms: number): string {
  return `retry: ${ms}\n\n`
}
