import { type Io, say } from '../process/io.ts'
import { spanInWords } from './spans.ts'

export interface ProgressOptions {
  /** What is done, such as `Cancelling`. */
  readonly label: string
  /** How much there is; left out while that is unknown. */
  readonly total?: number | undefined
}

export interface Progress {
  /** So much is done in all; `total` if it is known better now. */
  update(done: number, total?: number): void
  /** Clears the bar, so that what is said next stands alone. */
  end(): void
}

const barWidth = 24
/** A terminal is redrawn so often, and a log gets a line so often. */
const redrawMs = 100
const lineMs = 5_000

/**
 * Shows how far long work has come: a bar with rate and time left on a terminal, a line now and then
 * elsewhere, nothing when quiet.
 */
export function startProgress(io: Io, { label, total: expected }: ProgressOptions): Progress {
  const startedAt = performance.now()
  const isTerminal = Boolean(io.stderr.isTTY) && !io.isQuiet
  const pauseMs = isTerminal ? redrawMs : lineMs
  let total = expected
  // Short work says nothing in a log; on a terminal the bar is there at once.
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt
  const draw = (done: number) => {
    const line = `${label} ${formatProgress(done, total, performance.now() - startedAt)}`
    if (isTerminal) io.stderr.write(`\r\x1b[2K${line}`)
    else say(io, line)
  }
  return {
    update(done, known) {
      total = known ?? total
      if (performance.now() - shownAt < pauseMs) return
      shownAt = performance.now()
      draw(done)
    },
    end() {
      if (isTerminal) io.stderr.write('\r\x1b[2K')
    },
  }
}

/** `━━━━━━────── 25 % · 2,500 of 10,000 · 812/s · 9s left`, as far as it is known. */
export function formatProgress(done: number, total: number | undefined, elapsedMs: number): string {
  const rate = elapsedMs < 100 ? 0 : (done / elapsedMs) * 1_000
  const count = done.toLocaleString('en')
  const speed = rate > 0 ? [`${rate.toLocaleString('en', { maximumFractionDigits: 0 })}/s`] : []
  if (total === undefined) return [count, ...speed].join(' · ')
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const full = Math.floor(share * barWidth)
  const left =
    rate > 0 && share < 1 ? [`${spanInWords(Math.ceil((total - done) / rate) * 1_000)} left`] : []
  return [
    `${'━'.repeat(full)}${'─'.repeat(barWidth - full)} ${Math.floor(share * 100)} %`,
    `${count} of ${total.toLocaleString('en')}`,
    ...speed,
    ...left,
  ].join(' · ')
}
