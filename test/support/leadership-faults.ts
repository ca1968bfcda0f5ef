import type { LeaderProcess } from './leadership.ts'
import type { TestEngine } from './test-engine.ts'
import { until } from './until.ts'

/** One query per promise; each row it gives is a breach of it. */
const breaches = {
  'two terms of a chore overlap': `
    select a.chore, a.term, a.worker, b.worker as next
    from terms as a join terms as b on b.chore = a.chore and b.term > a.term
    where b.acquired_at < coalesce(a.ended_at, 'infinity')`,
  'a term was left out': `
    select chore, term from (select chore, term, lag(term, 1, 0::bigint) over (partition by chore order by term) as last from terms) as each
    where term <> last + 1`,
  'a worker wrote in a term that was not its own': `
    select witnessed.* from witnessed left join terms on terms.chore = 'witness' and terms.term = witnessed.term
    where terms.worker is distinct from witnessed.worker`,
  'terms went backwards': `
    select * from (select *, lag(term) over (order by id) as last from witnessed) as each where last > term`,
  'a worker wrote when its term was over': `
    select witnessed.* from witnessed join terms on terms.chore = 'witness' and terms.term > witnessed.term
    where witnessed.at >= terms.acquired_at`,
  'a second is not accounted for': `
    select second from generate_series($1::timestamptz, (select max(planned_at) from occurrences), '1 second') as second
    where not exists (select from occurrences where schedule = 'each_second' and planned_at = second)`,
  'more was recorded than came': `
    select planned_at from occurrences where planned_at < $1 or planned_at <> date_trunc('second', planned_at)`,
  'a second has two tasks': `
    select meta ->> 'planned_at' as second from task where meta ->> 'schedule' = 'each_second' group by 1 having count(*) > 1`,
  'a record and its task do not agree': `
    select occurrences.planned_at, task.id
    from (select * from occurrences where outcome = 'fired') as occurrences
    full join (select * from task where meta ->> 'schedule' = 'each_second') as task on task.id = occurrences.task
    where (task.meta ->> 'planned_at')::timestamptz is distinct from occurrences.planned_at`,
}

/** What speaks against one leader per term, or against one record per second since it began. */
export async function leadershipFaults(
  engine: TestEngine,
  processes: readonly LeaderProcess[],
  begins: Date | null,
): Promise<string[]> {
  const now = await engine.value<Date>('select clock_timestamp()')
  // A worker must have come to lead by now, or this waits for ever.
  await until(() => engine.value('select next_at > $1 from schedules', now))
  const faults: string[] = []
  for (const [name, text] of Object.entries(breaches)) {
    const rows = await engine.rows(text, ...(text.includes('$1') ? [begins] : []))
    faults.push(...rows.map((row) => `${name}: ${JSON.stringify(row)}`))
  }
  return [...faults, ...(await falseBeliefs(engine, processes))]
}

/** Terms in which a process believed to lead that were not its own, by what it said. */
async function falseBeliefs(
  engine: TestEngine,
  processes: readonly LeaderProcess[],
): Promise<string[]> {
  // What was said first: leadership may change hands meanwhile.
  const beliefs = processes.flatMap(({ id, lines }) =>
    lines
      .filter((line) => line.startsWith('log: leads a chore {'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as { chore: string; term: string })
      .map(({ chore, term }) => ({ id, name: `${chore} ${term}` })),
  )
  const terms = await engine.rows<{ name: string; worker: string }>(
    `select chore || ' ' || term as name, worker from terms`,
  )
  const workers = new Map(terms.map(({ name, worker }) => [name, worker]))
  return beliefs
    .filter(({ id, name }) => workers.get(name) !== id)
    .map(({ id, name }) => `${id} believed to lead ${name}`)
}
