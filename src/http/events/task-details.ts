import type { TaskEvent } from '../../engine/following.ts'
import type { LogLine } from '../../engine/looking.ts'
import type { HttpContext } from '../http-context.ts'
import { message, placeOnly } from './message.ts'
import type { Place } from './place.ts'
import type { Telling } from './telling.ts'

/** Events after which a task may have lines that were not shown yet. */
const bringsLines = new Set(['log', 'complete', 'fail', 'requeue', 'cancel'])

/** Lines have up to 4,000 characters: a message has one megabyte of them at the worst. */
const linesAtOnce = 50

/**
 * Tells what happens to one task, with what it says: its progress and the lines of its log. The ids of
 * its messages name the last line too, so that a client that is cut off gets each line once.
 */
export class TaskDetails implements Telling {
  readonly #context: HttpContext
  readonly #task: string
  #event: bigint
  /** The last line that was sent. */
  #line: string

  constructor(context: HttpContext, task: string, { event, line }: Place) {
    this.#context = context
    this.#task = task
    this.#event = event
    this.#line = line
  }

  /** The task as it is when the client begins to look. */
  async first(): Promise<string[]> {
    const progress = await this.#progress()
    const lines = await this.#newLines()
    return [...this.#showProgress(progress, { task: this.#task }), ...this.#showLines(lines)]
  }

  /** Its events, and before them the lines that it wrote until then. Everything is read before any is sent. */
  async tell(events: readonly TaskEvent[]): Promise<string[]> {
    const last = events.findLast(({ event }) => event === 'progress')
    const progress = last === undefined ? null : await this.#progress()
    const hasLines = events.some(({ event }) => bringsLines.has(event))
    const messages = hasLines ? this.#showLines(await this.#newLines()) : []
    for (const event of events) {
      this.#event = BigInt(event.id)
      if (event === last) messages.push(...this.#showProgress(progress, event))
      else if (event.event === 'log' || event.event === 'progress') messages.push(this.#placeOnly)
      else messages.push(message(event.event, JSON.stringify(event), this.#place))
    }
    return messages
  }

  get #place(): string {
    return `${this.#event}.${this.#line}`
  }

  get #placeOnly(): string {
    return placeOnly(this.#place)
  }

  async #progress(): Promise<unknown> {
    const { verbs, reads } = this.#context
    return (await verbs.task(reads, this.#task))?.progress ?? null
  }

  #newLines(): Promise<LogLine[]> {
    const { verbs, reads } = this.#context
    return verbs.logs(reads, this.#task, this.#line)
  }

  #showProgress(progress: unknown, about: object): string[] {
    if (progress === null) return [this.#placeOnly]
    return [message('progress', JSON.stringify({ ...about, progress }), this.#place)]
  }

  #showLines(lines: readonly LogLine[]): string[] {
    const messages: string[] = []
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      const some = lines.slice(from, from + linesAtOnce)
      this.#line = some.at(-1)?.id ?? this.#line
      const json = JSON.stringify({ task: this.#task, lines: some.map(shown) })
      messages.push(message('log', json, this.#place))
    }
    return messages
  }
}

function shown({ attempt, at, level, message: text }: LogLine) {
  return { attempt, at, level, message: text }
}
