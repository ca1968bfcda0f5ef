import type { Queryable } from '../../src/db/queryable.ts'

/**
 * What holds of every row that a verb writes. As constraints they would cost each call more than
 * its rows do, so an engine is installed without them; under test each verb has to keep them.
 */
const rules = [
  `alter table :s.tasks
     add constraint kind_is_known check (kind in ('sql', 'handler', 'document')),
     add constraint handler_named_for_handlers check (kind <> 'handler' or handler is not null),
     add constraint attempt_counts_up check (attempt >= 0),
     add constraint attempts_are_allowed check (max_attempts >= 1),
     add constraint started_while_running check (started_at is null or claim is not null)`,
  `alter table :s.finished
     add constraint state_is_final check (state in ('done', 'failed', 'cancelled')),
     add constraint reason_when_not_done check ((state = 'done') = (reason is null)),
     add constraint reason_is_known check (
       reason in ('error', 'timeout', 'lost', 'rejected', 'killed', 'expired', 'aborted', 'dependency'))`,
  `alter table :s.claims
     add constraint holds_a_task check (open > 0)`,
]

/** Holds the engine of a schema to the rules. */
export async function enforceRowRules(db: Queryable, schema: string): Promise<void> {
  for (const rule of rules) await db.query(rule.replace(':s', schema))
}
