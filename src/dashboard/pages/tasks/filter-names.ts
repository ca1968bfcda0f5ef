import { filterQualifiers } from '../../../lib/filter-query.ts'
import type { FilterName } from '../../lib/suggest.ts'
import type { Page, Stats, Task, Worker } from '../../model.ts'

const moments = ['10m', '1h', 'today', '1d', '7d']

interface Known {
  readonly stats: Stats | null
  readonly workers: Page<Worker> | null
  readonly tasks: readonly Task[]
}

/** What the filter bar offers: all that a query can say, with values that the page knows already. */
export function filterNames(known: () => Known): readonly FilterName[] {
  const seen: Readonly<Record<string, (known: Known) => readonly unknown[]>> = {
    queue: ({ stats }) => stats?.queues.map(({ queue }) => queue) ?? [],
    handler: ({ tasks }) => tasks.map(({ handler }) => handler),
    key: ({ tasks }) => tasks.map(({ key }) => key),
    tag: ({ tasks }) => tasks.flatMap(({ tags }) => tags),
    group: ({ tasks }) => tasks.flatMap(({ groups }) => groups),
    code: ({ tasks }) => tasks.map(({ error }) => error?.code),
    by: ({ tasks }) => tasks.map(({ submitted_by }) => submitted_by),
    worker: ({ workers }) => workers?.items.map(({ id }) => id) ?? [],
    host: ({ workers }) => workers?.items.map(({ host }) => host) ?? [],
  }
  return Object.entries(filterQualifiers).map(([name, { about, values }]) => ({
    name,
    hint: about,
    values: () =>
      values ?? (/before|after/.test(name) ? moments : distinct(seen[name]?.(known()) ?? [])),
  }))
}

function distinct(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))].sort()
}
