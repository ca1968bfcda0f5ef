import type { Client } from 'pg'
import { backendClock } from '../measure/cpu.ts'
import type { Call, CallSubject } from './call.ts'

/** Calls before those that count: functions are compiled, statements planned, a lane is opened. */
const warmUp = 10

/** Prepares a session. Whatever a client sends is planned once, and the disk is not what is measured. */
export async function beginLaps(db: Client): Promise<void> {
  await db.query(`create temporary table given (
    place integer generated always as identity, id bigint, claim bigint, subject text)`)
  await db.query('set plan_cache_mode = force_generic_plan; set synchronous_commit = off')
}

/** Processor time of the session per call, in microseconds, lap by lap, for each subject. */
export async function timeCall(
  db: Client,
  subjects: readonly CallSubject[],
  call: Call,
  sizes: { readonly rounds: number; readonly calls: number; readonly isOneTransaction: boolean },
): Promise<number[][]> {
  const clock = await backendClock(db)
  const laps = subjects.map((): number[] => [])
  for (let round = 0; round < sizes.rounds; round++) {
    for (const [place, subject] of subjects.entries()) {
      const lap = `${call.name} ${round}`.replaceAll(/\W+/g, '_')
      const where = { schema: subject.schema, queue: subject.queueOf(lap) }
      await db.query(`set search_path = ${subject.schema}`)
      await db.query('truncate given restart identity')
      const prepared = call.prepare?.(where, sizes.calls + warmUp)
      if (prepared !== undefined) await db.query(prepared)
      const text = (from: number, to: number) =>
        loop(call.text(where), from, to, sizes.isOneTransaction)
      await db.query(text(1, warmUp))
      const before = await clock()
      await db.query(text(warmUp + 1, warmUp + sizes.calls))
      const after = await clock()
      laps[place]?.push(
        before === null || after === null ? Number.NaN : (after - before) / sizes.calls,
      )
    }
  }
  return laps
}

function loop(call: string, from: number, to: number, isOneTransaction: boolean): string {
  return `do $lap$
    declare
      v_ids bigint[];
      v_claims bigint[];
      v_subjects text[];
    begin
      select array_agg(id order by place), array_agg(claim order by place), array_agg(subject order by place)
      into v_ids, v_claims, v_subjects from given;
      for i in ${from} .. ${to} loop
        perform from ${call};
        ${isOneTransaction ? '' : 'commit;'}
      end loop;
    end $lap$`
}
