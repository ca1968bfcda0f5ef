import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { exitCode } from './exit-code.ts'
import type { Io } from './io.ts'

/** Within this time a signal is the same wish delivered twice: by the terminal and by npm. */
const sameWishMs = 300

/** The world of a real process. */
export function processIo(): Io {
  // A reader that went away, or a closed terminal, must not keep us from stopping cleanly.
  process.stderr.on('error', () => {})
  const gone = new Promise<void>((resolve) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (!isReaderGone(error)) failAtExit(error)
      resolve()
    })
  })
  process.stdout.on('error', () => {})
  const { stdin, stdout, stderr, env } = process
  return {
    stdout,
    stderr,
    env,
    stopRequested,
    hurryRequested,
    readerGone: () => gone,
    ...(stdin.isTTY && stderr.isTTY ? { ask } : {}),
  }
}

function isReaderGone({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'EIO', 'ECONNRESET'].includes(code)
}

/** The output is incomplete: the exit code says so, or its reader would take it for the whole. */
function failAtExit({ message }: Error): void {
  process.stderr.write(`tusk: the output cannot be written: ${message}\n`)
  process.on('exit', () => {
    process.exitCode ||= exitCode.failure
  })
}

/** Ctrl-C and Ctrl-D are answers too. */
function ask(question: string): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    lines.on('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

let hurry: (() => void) | undefined

function hurryRequested(): Promise<void> {
  return new Promise((resolve) => {
    hurry = resolve
  })
}

/** The first signal asks; the next ends the process at once, or hurries what stops and leaves it to a third. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined
    const ask = () => {
      askedAt ??= Date.now()
      resolve()
    }
    const askOrInsist = (signal: NodeJS.Signals) => {
      const insists = askedAt !== undefined && Date.now() - askedAt > sameWishMs
      if (!insists) return ask()
      if (hurry === undefined) process.exit(128 + constants.signals[signal])
      askedAt = Date.now()
      hurry()
      hurry = undefined
    }
    process.on('SIGINT', askOrInsist)
    process.on('SIGTERM', askOrInsist)
    // A terminal that closes and an npm that is gone often follow a signal, and insist on nothing.
    process.on('SIGHUP', ask)
    whenNpmIsGone(ask)
  })
}

/** npm passes SIGTERM to the shell between us and no further: all we see of it is a new parent. */
function whenNpmIsGone(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 250)
  watch.unref()
}
