import type { Queryable } from '../../../db/queryable.ts'
import type { StepRow } from '../../../engine/durable.ts'
import type { Json } from '../../../engine/task.ts'
import { type Duration, toInterval } from '../../../lib/duration.ts'
import { TuskError } from '../../../lib/errors.ts'
import { requireOptions } from '../../../lib/require-known.ts'
import type { AnyTask } from '../../../tasks/define-task.ts'
import type {
  Child,
  ReceiveOptions,
  Signal,
  SpawnOptions,
  StepOptions,
} from '../../../tasks/durable.ts'
import { encodeJson } from '../../encode-json.ts'
import type { Run } from '../../run.ts'
import type { DurableActions, NewCheckpoint } from './actions.ts'
import { endsOf, Family, outputsOf } from './family.ts'
import { Journal } from './journal.ts'
import { joinOptions, receiveOptions, spawnOptions, stepOptions } from './known-options.ts'
import { newChild } from './new-child.ts'
import { Sleeper } from './sleeper.ts'
import { Stream } from './stream.ts'
import { asStored, attemptStep, failedForGood, parseJson, resultOf } from './take-step.ts'

type AnyChild = Child<unknown> | Promise<Child<unknown>>
interface AnyJoin {
  readonly mode?: 'all' | 'any' | 'race'
  readonly onFailure?: 'collect'
  readonly as?: string
}

/** A run of a handler that takes steps. Implements ctx.step() and the related methods. */
export class DurableRun {
  readonly #run: Run
  readonly #actions: DurableActions
  readonly #journal: Journal
  readonly #sleeper: Sleeper
  readonly #stream: Stream
  readonly #family: Family
  #lazy: NewCheckpoint[] = []

  constructor(run: Run, actions: DurableActions) {
    this.#run = run
    this.#actions = actions
    this.#journal = new Journal(() => actions.readSteps(run))
    this.#stream = new Stream(this.#journal, (chunks) => actions.writeChunks(run, chunks))
    this.#family = new Family((children) => this.#held(() => actions.spawn(run, children)))
    this.#sleeper = new Sleeper({
      flush: () => this.#flush(),
      suspend: (waits) => actions.suspend(run, waits),
      onAsleep: () => run.suspend(),
    })
    run.finish = async () => {
      await this.#sleeper.close()
      if (!run.isSuspended) await this.#flush()
    }
  }

  step<Output>(
    name: string,
    work: (signal: AbortSignal) => Output | Promise<Output>,
    options: StepOptions = {},
  ): Promise<Output> {
    return this.#using(name, async () => {
      requireOptions('ctx.step()', options, stepOptions)
      const stored = await this.#journal.find(name, 'step', options.was)
      if (stored !== undefined && stored.state !== 'retrying') return resultOf(stored) as Output
      if (options.isNew !== true) await this.#journal.requireUnchanged(name)
      const { checkpoint, pause, thrown } = await this.#held(async () => {
        const taken = await attemptStep(this.#run, name, stored?.attempt ?? 0, work, options)
        const isAlone = this.#lazy.length === 0
        try {
          await this.#save(taken.checkpoint, options.checkpoint === 'lazy')
          return taken
        } catch (error) {
          if (!isAlone || !isTooLarge(error)) throw error
          const failed = failedForGood(taken.checkpoint, error)
          await this.#save(failed.checkpoint, false)
          return failed
        }
      })
      if (thrown !== undefined) throw thrown.error
      // Never resolves: the next attempt is made by the next run.
      if (pause !== undefined) await this.#sleeper.waitFor({ kind: 'retry', name, for: pause })
      return resultOf(asStored(checkpoint)) as Output
    })
  }

  transaction<Output>(name: string, work: (db: Queryable) => Promise<Output>): Promise<Output> {
    return this.#using(name, async () => {
      const stored = await this.#journal.find(name, 'step')
      if (stored?.state === 'done') return stored.output as Output
      await this.#journal.requireUnchanged(name)
      const startedAt = new Date()
      let text: string | null = null
      await this.#held(() =>
        this.#actions.transactStep(this.#run, work, (output) => {
          text = encodeJson('result', output)
          return { ...plain(name, startedAt), output: text }
        }),
      )
      return parseJson(text) as Output
    })
  }

  delay(name: string, time: Duration | Date): Promise<void> {
    return this.#using(name, async () => {
      if ((await this.#journal.find(name, 'delay'))?.state === 'done') return
      const until = time instanceof Date ? { until: time.toISOString() } : { for: spanOf(time) }
      await this.#waitFor({ kind: 'delay', name, ...until })
    })
  }

  receive<Payload>(
    given: string | Signal<Payload>,
    options: ReceiveOptions = {},
  ): Promise<Payload | undefined> {
    const { timeout, as } = options
    const signal = typeof given === 'string' ? given : given.name
    const name = as ?? signal
    return this.#using(name, async () => {
      requireOptions('ctx.receive()', options, receiveOptions)
      let row = await this.#journal.find(name, 'signal')
      if (row?.state !== 'done') {
        const limit = timeout === undefined ? {} : { for: spanOf(timeout) }
        const rows = await this.#waitFor({ kind: 'signal', name, signal, ...limit })
        row = rows.find((each) => each.name === name)
      }
      return row === undefined || row.signal === null ? undefined : (row.output as Payload)
    })
  }

  spawn(task: string | AnyTask, payload: unknown, options: SpawnOptions = {}): Promise<Child> {
    const name = options.as ?? (typeof task === 'string' ? task : task.name)
    return this.#using(name, async () => {
      requireOptions('ctx.spawn()', options, spawnOptions)
      const stored = await this.#journal.find(name, 'child')
      if (stored !== undefined) return { id: stored.child ?? '', name }
      await this.#journal.requireUnchanged(name)
      return this.#family.start(await newChild(task, payload, options))
    })
  }

  async join(given: readonly AnyChild[], options: AnyJoin): Promise<unknown> {
    requireOptions('ctx.join()', options, joinOptions)
    const children = await Promise.all(given)
    const names = children.map(({ name }) => name)
    if (names.length === 0) return []
    const { mode = 'all', onFailure = 'throw' } = options
    if (mode !== 'all') return this.#joinFirst(names, mode, options.as)
    const rows = await this.#ended(names, mode, onFailure)
    return onFailure === 'collect' ? endsOf(rows) : outputsOf(rows)
  }

  write(chunk: Json): void {
    if (this.#run.isSuspended) return
    this.#stream.add(encodeJson('chunk', chunk) ?? 'null')
  }

  version(name: string, current: number = 1): Promise<number> {
    return this.#using(name, async () => {
      const stored = await this.#journal.find(name, 'version')
      if (stored !== undefined) return Number(stored.output)
      if ((await this.#journal.behind()).length > 0) return 0
      const checkpoint = { ...plain(name, new Date()), kind: 'version' as const }
      await this.#held(() => this.#save({ ...checkpoint, output: JSON.stringify(current) }, false))
      return current
    })
  }

  /** The winner is stored, because in later runs several children may have ended. */
  #joinFirst(names: readonly string[], mode: 'any' | 'race', as?: string): Promise<unknown> {
    const step = as ?? `${mode} of ${names.join(', ')}`.slice(0, 200)
    return this.#using(step, async () => {
      const stored = await this.#journal.find(step, 'step')
      if (stored !== undefined) {
        return resultOf((await this.#journal.find(String(stored.output), 'child')) ?? stored)
      }
      const rows = await this.#ended(names, mode, 'throw')
      const ended = rows.filter(({ state }) => state !== 'open')
      const winner = ended.find(({ state }) => mode === 'race' || state === 'done') ?? ended[0]
      if (winner === undefined) throw new Error(`no child of ${names.join(', ')} has ended`)
      const output = JSON.stringify(winner.name)
      await this.#held(() => this.#save({ ...plain(step, new Date()), output }, false))
      return resultOf(winner)
    })
  }

  async #ended(
    names: readonly string[],
    mode: 'all' | 'any' | 'race',
    onFailure: 'throw' | 'collect',
  ): Promise<StepRow[]> {
    const known = await Promise.all(names.map((name) => this.#journal.find(name, 'child')))
    const rows = known.every((row) => row !== undefined && row.state !== 'open')
      ? known
      : await this.#waitFor({ kind: 'children', children: names, mode, on_failure: onFailure })
    const byName = new Map(rows.map((row) => [row?.name, row]))
    return names.flatMap((name) => byName.get(name) ?? [])
  }

  async #waitFor(wait: Parameters<Sleeper['waitFor']>[0]): Promise<readonly StepRow[]> {
    const rows = await this.#sleeper.waitFor(wait)
    this.#journal.keep(rows)
    return rows
  }

  #using<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#run.isSuspended) return new Promise(() => {})
    return this.#journal.using(name, work)
  }

  #held<T>(work: () => Promise<T>): Promise<T> {
    return this.#sleeper.during(work)
  }

  async #save(checkpoint: NewCheckpoint, isLazy: boolean): Promise<void> {
    this.#lazy.push(checkpoint)
    if (!isLazy) await this.#saveLazy()
  }

  async #saveLazy(): Promise<void> {
    const steps = this.#lazy
    this.#lazy = []
    if (steps.length > 0) await this.#actions.saveSteps(this.#run, steps)
  }

  async #flush(): Promise<void> {
    await this.#saveLazy()
    await this.#stream.flush()
  }
}

/** A value can be larger as jsonb than as text, so only the database knows. */
function isTooLarge(error: unknown): boolean {
  return error instanceof TuskError && error.code === 'payload_too_large'
}

function plain(name: string, startedAt: Date): NewCheckpoint {
  return { name, output: null, error: null, state: 'done', kind: 'step', startedAt }
}

function spanOf(time: Duration): string {
  return toInterval('the time', time) ?? '0'
}
