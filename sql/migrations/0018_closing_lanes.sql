-- Lanes that no task uses any more are removed, in three steps; see close_lanes().
--
-- `closing_by` is the transaction that marked the lane, and `waits_for` has the
-- transactions that may have looked at it before they could see the mark.
alter table lanes add column closing_by xid8;
alter table lanes add column waits_for  text[];
