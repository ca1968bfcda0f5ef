import type pg from 'pg'
import { test as base } from './engine.ts'

/** What the judge says of the claims so far. */
export interface Verdict {
  /** Claims that were judged. */
  readonly claims: number
  /** Claims that brought a queue or a group above its limit, in words. */
  readonly breaches: readonly string[]
}

interface JudgeFixtures {
  /** Judges every claim of the test from now on, and gives the verdict when called. */
  judge: () => Promise<Verdict>
}

/**
 * A trigger judges each claim at its commit, in its own transaction: there the rows of its queue and
 * groups are still held, so what runs and what is allowed cannot change between the two looks. A
 * limit that was lowered is not a breach by itself; a start above it is. `group_max_running` is not
 * judged: it holds from the next claim on, and a claim under way may commit after it was set.
 */
const install = `
  create table judged (claim bigint, breach text);

  create function judge_claim() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into judged
    select new.id, string_agg(format('%s runs %s of %s', held.name, held.running, held.most), ', ')
             filter (where held.running > held.most)
    from (
      select groups.name, groups.max_running as most,
             (select count(*) from tasks
              where claim is not null
                and (groups.name = '@' || queue or (groups.name = any (tasks.groups) and parked_on is null))) as running
      from groups
      where groups.name = '@' || new.queue
         or exists (select from tasks where claim = new.id and groups.name = any (tasks.groups))
    ) as held;
    return null;
  end;
  $$;

  create constraint trigger judge_claim after insert on claims deferrable initially deferred
    for each row execute function judge_claim();`

const remove = `
  drop trigger judge_claim on claims;
  drop function judge_claim();
  drop table judged;`

export const test = base.extend<JudgeFixtures>({
  judge: async ({ db }, use) => {
    await db.query(install)
    await use(() => verdictOf(db))
    await db.query(remove)
  },
})

async function verdictOf(db: pg.Pool): Promise<Verdict> {
  const { rows } = await db.query<Verdict>(
    `select count(*)::int as claims, coalesce(array_agg(distinct breach) filter (where breach is not null), '{}') as breaches
     from judged`,
  )
  return rows[0] ?? { claims: 0, breaches: [] }
}
