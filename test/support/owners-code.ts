import type pg from 'pg'

/** What a statement came to, each time that Postgres ran it. */
export interface Attempt {
  readonly current_user: string
  readonly session_user: string
  /** `done`, or the message of its error. */
  readonly outcome: string
}

/** What Tusk's verbs answer to such code, in the words of Postgres. */
export const restricted = 'cannot execute UNLISTEN within security-restricted operation'

type Db = Pick<pg.Client, 'query'>

/**
 * Gives a role a schema of its own (named like the role) with a table whose index expression runs a
 * statement, and a materialized view that does. Postgres evaluates both when another role maintains
 * the table. Every attempt is recorded with its outcome, so a test sees that the code really ran.
 */
export async function plantOwnersCode(db: Db, role: string, statement: string): Promise<void> {
  await db.query(`create schema ${role} authorization ${role}`)
  await db.query(`begin; set local role ${role}; set local search_path = ${role};
    create table attempts (id int generated always as identity, who text, session text, outcome text);
    create function attempt() returns void language plpgsql as $f$
    declare
      v_outcome text := 'done';
    begin
      begin
        execute $statement$${statement}$statement$;
      exception when others then
        v_outcome := sqlerrm;
      end;
      insert into ${role}.attempts (who, session, outcome) values (current_user, session_user, v_outcome);
    end $f$;
    create function expression(n int) returns int language plpgsql immutable as $f$
    begin
      perform ${role}.attempt();
      return n;
    end $f$;
    create table bait (n int) with (
      autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
    insert into bait values (1);
    create index bait_n on bait (expression(n));
    create materialized view picture as select expression(n) as seen from bait with no data;
    commit`)
  await db.query(`delete from ${role}.attempts`)
}

/** What Postgres did of the planted code since the last look. */
export async function takeAttempts(db: Db, role: string): Promise<Attempt[]> {
  const { rows } = await db.query<Attempt>(
    `with taken as (delete from ${role}.attempts returning *)
     select who as current_user, session as session_user, outcome from taken order by id`,
  )
  return rows
}
