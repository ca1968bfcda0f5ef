import type pg from 'pg'
import type { TestEngine } from '../support/test-engine.ts'
import type { Channel } from './ears.ts'

/** Every way to the engine that a scenario may run through. */
export const doorNames = ['single', 'bulk', 'objects', 'queues', 'client', 'http'] as const
export type DoorName = (typeof doorNames)[number]

/** Statements in the words of a dialect; the rows they answer with. */
export type Ask = (text: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>

/** What a scenario works with: an empty engine, and one door to it. */
export interface World {
  readonly doorName: DoorName
  readonly schema: string
  readonly pool: pg.Pool
  /** The verbs through the door. Those that only SQL has are called as src/engine calls them. */
  readonly engine: TestEngine
  /** What the engine said with NOTIFY on a channel until now. */
  readonly heard: (channel: Channel) => Promise<string[]>
  /** `fetchq.` stands for the schema of the dialect. */
  readonly fetchq: Ask
  /** `bg.` stands for the schema of the dialect. */
  readonly background: Ask
  /** `tables.` stands for the schema with the task table `task`. */
  readonly taskTable: Ask
}

/** What a scenario is about. A mutant names the subjects that should notice it; those scenarios run first. */
export type Subject =
  | 'store'
  | 'claim'
  | 'requeue'
  | 'end'
  | 'history'
  | 'key'
  | 'limit'
  | 'retry'
  | 'amend'
  | 'rescue'
  | 'reschedule'
  | 'release'
  | 'cancel'
  | 'delete'
  | 'expire'
  | 'schedule'
  | 'trigger'
  | 'sql'
  | 'fetchq'
  | 'pg-task'
  | 'pg-background'
  | 'count'
  | 'event'
  | 'notify'
  | 'lease'
  | 'durable'

export interface Scenario {
  readonly name: string
  readonly about: readonly Subject[]
  /**
   * The doors it runs through: by default all. `one` is for what no door changes, such as what a
   * schedule or a dialect does by itself.
   */
  readonly doors?: readonly DoorName[] | 'one'
  readonly run: (world: World) => Promise<void>
}

/** A scenario seen through one door. */
export interface Case {
  readonly scenario: Scenario
  readonly door: DoorName
  readonly name: string
}

export function casesOf(scenarios: readonly Scenario[]): Case[] {
  return scenarios.flatMap((scenario) => {
    const doors = scenario.doors === 'one' ? (['single'] as const) : (scenario.doors ?? doorNames)
    return doors.map((door) => ({ scenario, door, name: `${scenario.name} [${door}]` }))
  })
}
