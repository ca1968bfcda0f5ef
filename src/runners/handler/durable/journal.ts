import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StepKind, StepRow } from '../../../engine/durable.ts'
import { TuskError } from '../../../lib/errors.ts'

/** What a run knows of earlier runs of its task, and which names it has used itself. */
export class Journal {
  readonly #read: () => Promise<readonly StepRow[]>
  /** In the order of their use. */
  readonly #used: string[] = []
  #loading: Promise<Map<string, StepRow>> | undefined
  #stored: Map<string, StepRow> | undefined
  /** Calls that have not settled. */
  #open = 0
  #isParallel: boolean = false

  constructor(read: () => Promise<readonly StepRow[]>) {
    this.#read = read
  }

  /** How many names were used until now. */
  get usedCount(): number {
    return this.#used.length
  }

  /** Runs a call under a name that must be new in this run. */
  async using<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#used.includes(name)) {
      throw new TuskError(
        'invalid_argument',
        `the step name ${JSON.stringify(name)} is used twice`,
        {
          hint: 'Names are unique within a task: give steps of a loop names such as "item 17/mail".',
        },
      )
    }
    this.#used.push(name)
    if (this.#open > 0) this.#isParallel = true
    this.#open += 1
    try {
      return await work()
    } finally {
      this.#open -= 1
    }
  }

  /** The stored step of this name, or of the name it had before. */
  async find(name: string, kind: StepKind, was?: string): Promise<StepRow | undefined> {
    const stored = await this.#load()
    const row = stored.get(name) ?? (was === undefined ? undefined : stored.get(was))
    if (row === undefined) return undefined
    if (row.name !== name) this.#used.push(row.name)
    if (row.kind === kind) return row
    throw new TuskError(
      'wrong_state',
      `${JSON.stringify(name)} was stored as a ${row.kind}, and is now a ${kind}`,
      { hint: 'Give what is new a name of its own.' },
    )
  }

  /** Keeps what suspend() told. */
  keep(rows: readonly StepRow[]): void {
    for (const row of rows) this.#stored?.set(row.name, row)
  }

  /** Steps of earlier runs that this one has not come to after it used so many names. */
  async behind(usedCount: number = this.#used.length): Promise<string[]> {
    const stored = await this.#load()
    const used = new Set(this.#used.slice(0, usedCount))
    return [...stored.values()]
      .filter(({ name, state }) => state !== 'retrying' && !used.has(name))
      .map(({ name }) => name)
  }

  /**
   * Rejects a step that is about to run although earlier runs went past it: it was renamed, or another
   * was removed. Where calls run side by side their order tells nothing.
   */
  async requireUnchanged(name: string): Promise<void> {
    if (this.#isParallel || (await this.behind()).length === 0) return
    // Another branch of the handler may be about to ask for them.
    await nextTurn()
    const behind = await this.behind()
    if (this.#isParallel || behind.length === 0) return
    const names = behind
      .slice(0, 10)
      .map((each) => JSON.stringify(each))
      .join(', ')
    throw new TuskError(
      'wrong_state',
      `step ${JSON.stringify(name)} is not stored, but earlier runs went on to ${names}`,
      {
        hint: `Was a step renamed? Give it the option { was: 'old name' }. Is it new in the code? Give it { isNew: true }. For larger changes use ctx.version().`,
      },
    )
  }

  async #load(): Promise<Map<string, StepRow>> {
    this.#loading ??= this.#read().then((rows) => new Map(rows.map((row) => [row.name, row])))
    this.#stored = await this.#loading
    return this.#stored
  }
}
