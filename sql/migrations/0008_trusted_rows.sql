-- Rows that each call writes are checked by the verbs alone.
--
-- Postgres reads and plans a check constraint anew in every statement that writes its
-- table: those of tasks took 40 of the 70 µs that storing one task takes. Nobody but the
-- verbs writes these tables, and they refuse what the constraints refused; the tests put
-- the constraints back and run every verb under them (test/support/row-rules.ts).

alter table tasks
  drop constraint kind_is_known,
  drop constraint handler_named_for_handlers,
  drop constraint attempt_counts_up,
  drop constraint attempts_are_allowed,
  drop constraint started_while_running;

alter table finished
  drop constraint state_is_final,
  drop constraint reason_when_not_done,
  drop constraint reason_is_known;

alter table claims
  drop constraint holds_a_task;
