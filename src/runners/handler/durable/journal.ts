import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StepKind, StepRow } from '../../../engine/durable.ts'
import { TuskError } from '../../../lib/errors.ts'

/** The steps of earlier runs of the task, and the names that this run has used. */
export class Journal {
  readonly #read: () => Promise<readonly StepRow[]>
  /** In the order of their use. */
  readonly #used: string[] = []
  readonly #names = new Set<string>()
  /** How many names had been used when no step of earlier runs was ahead any more. It stays so. */
  #pastAt: number = Number.POSITIVE_INFINITY
  #loading: Promise<Map<string, StepRow>> | undefined
  #stored: Map<string, StepRow> | undefined
  /** How many calls have not settled. */
  #open = 0
  #isParallel: boolean = false

  constructor(read: () => Promise<readonly StepRow[]>) {
    this.#read = read
  }

  /** How many names have been used so far. */
  get usedCount(): number {
    return this.#used.length
  }

  /** Runs a call under a name. Throws if this run has used the name already. */
  async using<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#names.has(name)) {
      throw new TuskError(
        'invalid_argument',
        `the step name ${JSON.stringify(name)} is used twice`,
        {
          hint: 'Names are unique within a task: give steps of a loop names such as "item 17/mail".',
        },
      )
    }
    this.#use(name)
    if (this.#open > 0) this.#isParallel = true
    this.#open += 1
    try {
      return await work()
    } finally {
      this.#open -= 1
    }
  }

  /** Finds the stored step with this name, or with its old name. */
  async find(name: string, kind: StepKind, was?: string): Promise<StepRow | undefined> {
    const stored = await this.#load()
    const row = stored.get(name) ?? (was === undefined ? undefined : stored.get(was))
    if (row === undefined) return undefined
    if (row.name !== name) this.#use(row.name)
    if (row.kind === kind) return row
    throw new TuskError(
      'wrong_state',
      `${JSON.stringify(name)} was stored as a ${row.kind}, and is now a ${kind}`,
      { hint: 'Give the new one another name.' },
    )
  }

  /** Keeps the rows that suspend() returned. */
  keep(rows: readonly StepRow[]): void {
    for (const row of rows) this.#stored?.set(row.name, row)
  }

  /** The steps of earlier runs that this run has not reached after it used that many names. */
  async behind(usedCount: number = this.#used.length): Promise<string[]> {
    const stored = await this.#load()
    if (usedCount >= this.#pastAt) return []
    const used =
      usedCount === this.#used.length ? this.#names : new Set(this.#used.slice(0, usedCount))
    const behind = [...stored.values()]
      .filter(({ name, state }) => state !== 'retrying' && !used.has(name))
      .map(({ name }) => name)
    if (behind.length === 0) this.#pastAt = usedCount
    return behind
  }

  /**
   * Rejects a step that is about to run although earlier runs passed it: it was renamed, or another one was removed. If
   * calls run in parallel, their order proves nothing.
   */
  async requireUnchanged(name: string): Promise<void> {
    if (this.#isParallel || (await this.behind()).length === 0) return
    // Another branch of the handler may be about to use these steps.
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

  #use(name: string): void {
    this.#used.push(name)
    this.#names.add(name)
  }

  async #load(): Promise<Map<string, StepRow>> {
    this.#loading ??= this.#read().then((rows) => new Map(rows.map((row) => [row.name, row])))
    this.#stored = await this.#loading
    return this.#stored
  }
}
