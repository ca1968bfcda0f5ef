import { type Signal, signal } from '@preact/signals'
import { localIn, viewersZone } from '../../lib/zoned.ts'
import type { ScheduleDetail } from '../schedules/schedule-model.ts'

const names = [
  'cron',
  'every',
  'at',
  'zone',
  'starts_at',
  'ends_at',
  'jitter',
  'misfire',
  'misfire_after',
  'catch_up',
  'overlap',
  'drift',
  'keep',
] as const

type Name = (typeof names)[number]

/** When a schedule comes, as it is being written. */
export type PlanDraft = Readonly<Record<Name | 'when', Signal<string>>>

/** What the API takes: null puts the default back. */
export type PlanSettings = Readonly<Record<string, string | number | null>>

/** Of a schedule that is there, or of a new one: every night, where the viewer is. */
export function planDraft(schedule: ScheduleDetail | null): PlanDraft {
  const fresh: Partial<Record<Name, string>> = { cron: '30 2 * * *', zone: viewersZone() }
  const text = (name: Name) => (schedule === null ? (fresh[name] ?? '') : textOf(schedule, name))
  return {
    when: signal(whenOf(schedule)),
    cron: signal(text('cron')),
    every: signal(text('every')),
    at: signal(text('at')),
    zone: signal(text('zone')),
    starts_at: signal(text('starts_at')),
    ends_at: signal(text('ends_at')),
    jitter: signal(text('jitter')),
    misfire: signal(text('misfire')),
    misfire_after: signal(text('misfire_after')),
    catch_up: signal(text('catch_up')),
    overlap: signal(text('overlap')),
    drift: signal(text('drift')),
    keep: signal(text('keep')),
  }
}

function whenOf(schedule: ScheduleDetail | null): string {
  if (schedule === null || schedule.cron !== null) return 'cron'
  return schedule.every === null ? 'at' : 'every'
}

const times: readonly string[] = ['at', 'starts_at', 'ends_at']

function textOf(schedule: ScheduleDetail, name: Name): string {
  const value = schedule[name]
  if (value === null) return ''
  return times.includes(name) ? localIn(schedule.zone, String(value)) : String(value)
}

/** All of it; of the three ways to say when, the one that is chosen. */
export function planOf(draft: PlanDraft): PlanSettings {
  const ways = ['cron', 'every', 'at']
  const value = (name: Name) => {
    const text = draft[name].value.trim()
    if (text === '' || (ways.includes(name) && name !== draft.when.value)) return null
    return name === 'catch_up' ? Number(text) : text
  }
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}

/** What is set, without what is not. */
export function givenOnly(plan: PlanSettings): PlanSettings {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== null))
}

/** What differs from what was there. */
export function planChanges(before: PlanSettings, after: PlanSettings): PlanSettings {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]))
}
