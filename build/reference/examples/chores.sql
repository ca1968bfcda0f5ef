-- Examples of the SQL reference. A test runs each of them. The worker w-1 leads the chore tidy_shelves in term 1.

-- fence
select tusk.fence('tidy_shelves', 'w-1', 1);

-- lead_chores
select chore, term, expires_in_ms from tusk.lead_chores('w-1', '{tidy_shelves}', '{1}');

-- lock_chore
select tusk.register_chores('w-2', '[{"name": "tidy_attic", "strategy": "advisory", "every": "1 minute", "timeout": "30 seconds"}]');
select term, resign from tusk.lock_chore('w-2', 'tidy_attic');

-- register_chores
select tusk.register_chores('w-1', '[
  {"name": "tidy_shelves", "strategy": "lease", "every": "1 minute", "timeout": "30 seconds", "ttl": "10 seconds"}]');

-- release_chores
select tusk.release_chores('w-1', '{tidy_shelves}', '{1}');

-- report_chores
select tusk.report_chores('w-1', '[]');

-- resign
select tusk.resign('tidy_shelves');

-- run_chore
select processed, next_in_ms from tusk.run_chore('sweep');

-- unlock_chore
select tusk.unlock_chore('w-1', 'tidy_shelves');

-- worn_tables
select * from tusk.worn_tables();
