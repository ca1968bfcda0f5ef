import type { TaskEvent } from '../../engine/following.ts'
import { message } from './message.ts'

/** Turns events into messages. What a message says about a task may have to be read first. */
export interface Telling {
  first(): Promise<readonly string[]>
  tell(events: readonly TaskEvent[]): string | Promise<readonly string[]>
}

/** Many clients get the same event; its message is made once. */
const written = new WeakMap<TaskEvent, string>()

function asJson(event: TaskEvent): string {
  const known = written.get(event)
  if (known !== undefined) return known
  const { id, at, event: name, task, queue } = event
  const json = JSON.stringify({ id, at, event: name, task, queue })
  written.set(event, json)
  return json
}

/** A message per event, named after it. */
export const oneByOne: Telling = {
  first: async () => [],
  tell: (events) => events.map((event) => message(event.event, asJson(event), event.id)).join(''),
}

/** A message `events` with all of them. */
export const inBatches: Telling = {
  first: async () => [],
  tell: (events) =>
    events.length === 0
      ? ''
      : message('events', `[${events.map(asJson).join(',')}]`, events.at(-1)?.id),
}
