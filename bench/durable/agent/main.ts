import { answerCalls, usageNow } from '../../shared/answer-calls.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import { subjectNamed } from '../subjects/all.ts'
import type { Adapter, RunInput } from '../subjects/subject.ts'
import { CountingHooks } from './hooks.ts'
import type { DurableVerbs } from './protocol.ts'

/** A process with one subject in it: it starts runs, or works them off. */
class Agent implements DurableVerbs {
  #adapter: Adapter | undefined
  #url = ''
  #hooks: CountingHooks | undefined

  async open(subject: string, url: string, processName: string) {
    this.#url = url
    this.#adapter = await subjectNamed(subject).open({ url, processName })
  }

  async install() {
    await this.#opened.install()
  }

  async start(runs: readonly RunInput[]) {
    await this.#opened.start(runs)
  }

  async signal(run: string) {
    await this.#opened.signal(run, monotonicMs())
  }

  async work(atOnce: number | null, effectMs: number) {
    this.#hooks = new CountingHooks(this.#url, effectMs)
    await this.#opened.work({ hooks: this.#hooks, atOnce: atOnce ?? undefined })
  }

  progress = async () => this.#working.progress

  lateness = async () => this.#working.lateness

  usage: DurableVerbs['usage'] = usageNow

  async close() {
    await this.#adapter?.close()
    await this.#hooks?.close()
  }

  get #opened(): Adapter {
    if (this.#adapter === undefined) throw new Error('call open() first')
    return this.#adapter
  }

  get #working(): CountingHooks {
    if (this.#hooks === undefined) throw new Error('call work() first')
    return this.#hooks
  }
}

answerCalls(new Agent())
