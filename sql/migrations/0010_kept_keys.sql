-- A key that is kept as long as its task is (`until` infinity) is never swept by its time:
-- it stays out of the index, so that keeping keys costs a task nothing.

drop index keys_to_sweep;

-- Read by sweep(): keys held for a time, not those of living tasks or kept ones.
create index keys_to_sweep on keys (until) where until > '-infinity' and until < 'infinity';
