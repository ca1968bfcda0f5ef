import type { LogLine } from '../../engine/working.ts'
import { toStorableText } from '../../runners/storable-text.ts'
import type { LogLevel } from '../../tasks/context.ts'
import type { HeldTask } from '../leases/held-task.ts'

/** log() keeps no more of a task either. */
const mostLinesPerTask = 1_000
const longestLine = 4_000
const writeAfterMs = 500
const writeAfterLines = 200

/** Lines that tasks wrote and the database has not seen yet. */
export class LogBook {
  /** Called when it is time to store them. */
  onFull: (() => void) | undefined
  readonly #written = new WeakMap<HeldTask, number>()
  #lines: LogLine[] = []
  #timer: NodeJS.Timeout | undefined

  get size(): number {
    return this.#lines.length
  }

  add(task: HeldTask, message: string, level: LogLevel): void {
    const written = this.#written.get(task) ?? 0
    if (written === mostLinesPerTask) return
    this.#written.set(task, written + 1)
    const text = toStorableText(String(message)).slice(0, longestLine)
    this.#lines.push({ id: task.id, claim: task.claim, level, message: text, at: new Date() })
    if (this.#lines.length >= writeAfterLines) this.onFull?.()
    else this.#timer ??= setTimeout(() => this.onFull?.(), writeAfterMs)
  }

  takeAll(): LogLine[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}
