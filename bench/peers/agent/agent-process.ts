import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AgentVerbs, Answer, Call } from './protocol.ts'

const script = fileURLToPath(new URL('./main.js', import.meta.url))
const patienceMs = 300_000
const closingMs = 10_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** The main process's end of an agent. */
export class AgentProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  /** The last lines it wrote to stderr, for an error that says nothing else. */
  #lastWords = ''

  private constructor(node: string) {
    this.#child = fork(script, [], {
      execPath: node,
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

  static async start(node: string, subject: string, url: string): Promise<AgentProcess> {
    const agent = new AgentProcess(node)
    await agent.call('open', subject, url)
    return agent
  }

  call<V extends keyof AgentVerbs>(
    verb: V,
    ...args: Parameters<AgentVerbs[V]>
  ): ReturnType<AgentVerbs[V]> {
    const id = this.#calls++
    const call: Call = { id, verb, args }
    const answered = new Promise((resolve, reject) => {
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
    return answered as ReturnType<AgentVerbs[V]>
  }

  /** In order if it can; by force after ten seconds. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    await Promise.race([this.call('close').catch(() => {}), delay(closingMs)])
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
