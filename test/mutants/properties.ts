import type { DoorName, Subject } from '../conformance/scenario.ts'
import type { Target } from './mutant.ts'

/** The properties of a task and their SQL types. */
export const types = {
  queue: 'text',
  payload: 'jsonb',
  handler: 'text',
  kind: 'text',
  priority: 'integer',
  run_at: 'timestamptz',
  key: 'text',
  on_duplicate: 'text',
  window: 'interval',
  frees_key: 'boolean',
  groups: 'text[]',
  max_running: 'integer',
  tags: 'text[]',
  version: 'integer',
  max_attempts: 'integer',
  backoff: 'jsonb',
  timeout: 'interval',
  deadline: 'timestamptz',
  retention: 'interval',
  parent: 'bigint',
  meta: 'jsonb',
  // What the engine writes beside them.
  created_at: 'timestamptz',
  iteration: 'bigint',
  attempt: 'integer',
  submitted_by: 'text',
} as const

export type Property = keyof typeof types

/** What is written instead of a property that must not be null. */
export const defaults: Partial<Record<Property, string>> = {
  queue: `'elsewhere'::text`,
  payload: `'{}'::jsonb`,
  kind: `'handler'::text`,
  priority: '0',
  version: '1',
  run_at: `timestamptz '2001-01-01'`,
  created_at: `timestamptz '2001-01-01'`,
  iteration: '0::bigint',
  attempt: '0',
  submitted_by: `'nobody'`,
}

/** A statement that stores, copies or hands over the properties of tasks. */
export interface Place extends Target {
  readonly what: string
  /** The text of the function from here … */
  readonly from: string
  /** … to the first of this after it. */
  readonly to: string
  /** The properties that go through here, and how each is spelled. */
  readonly properties: readonly Property[]
  readonly spell: (name: Property) => string
  /** How another value is written in its place; by default as it is. */
  readonly write?: (sql: string) => string
  /** What is written for a property that is dropped; by default null or its default. */
  readonly drop?: (name: Property) => string
  /** Properties that are swapped with no other: swapped they are not SQL, or make no difference. */
  readonly alone?: readonly Property[]
  readonly about: readonly Subject[]
  readonly doors?: readonly DoorName[]
}
