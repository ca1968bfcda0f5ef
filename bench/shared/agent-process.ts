import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, AnswerOf, ArgumentsOf, Call, Closable } from './protocol.ts'

const patienceMs = 300_000
const closingMs = 10_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface AgentOptions {
  /** The compiled script, which calls answerCalls(). */
  readonly script: string
  /** The Node that runs it. */
  readonly node: string
  readonly env?: Readonly<Record<string, string>>
}

/** The main process's side of a process that answers these calls. */
export class AgentProcess<Verbs extends Closable> {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  /** The last lines that it wrote to stderr, for errors without another message. */
  #lastWords = ''

  constructor({ script, node, env }: AgentOptions) {
    this.#child = fork(script, [], {
      execPath: node,
      env: { ...process.env, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-500)
    })
    this.#child.on('message', (answer: Answer) => this.#take(answer))
    this.#child.on('exit', (code) => {
      const error = new Error(`its process ended with code ${code}: ${this.#lastWords.trim()}`)
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  call<V extends keyof Verbs & string>(
    verb: V,
    ...args: ArgumentsOf<Verbs[V]>
  ): AnswerOf<Verbs[V]> {
    return this.#ask(verb, args) as AnswerOf<Verbs[V]>
  }

  #ask(verb: string, args: readonly unknown[]): Promise<unknown> {
    const id = this.#calls++
    const call: Call = { id, verb, args }
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer to ${verb}() within ${patienceMs / 1_000} s`))
      const timer = setTimeout(late, patienceMs)
      const settle =
        <T>(settled: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          settled(value)
        }
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
      this.#child.send(call, (error) => {
        if (error !== null) this.#waiting.get(id)?.reject(error)
      })
    })
  }

  /** Kills the process with kill -9, as a power failure would. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Asks the process to end, and kills it when it answers, or after ten seconds. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    await Promise.race([this.#ask('close', []).catch(() => {}), delay(closingMs)])
    this.#child.kill('SIGKILL')
    await ended
  }

  #take({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }
}
