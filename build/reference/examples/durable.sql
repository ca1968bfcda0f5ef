-- Examples of the SQL reference. A test runs each of them. Task 42 waits.

-- enqueue_batch
select * from tusk.enqueue_batch('[{"queue": "page"}, {"queue": "page"}]', '{"queue": "book"}', 'run');

-- read_chunks
select place, at, chunk from tusk.read_chunks(42, p_after => 17);

-- read_dependencies
select id, after, depth, state from tusk.read_dependencies(42);

-- read_family
select id, step, depth, state from tusk.read_family(42);

-- read_steps
select step.* from tusk.claim('mail') as held, tusk.read_steps(held.id, held.claim) as step;

-- save_steps
select tusk.save_steps(array_agg(id), array_agg(claim), '{charge}', array['{"receipt": "r-9"}'::jsonb]) from tusk.claim('mail');

-- signal
select tusk.signal(42, 'paid', '{"by": "ada"}');

-- spawn
select spawned.*
from tusk.claim('mail') as held,
  tusk.spawn(held.id, held.claim, '{pack,label}', '[{"queue": "pack"}, {"queue": "label"}]') as spawned;

-- suspend
select over.*
from tusk.claim('mail') as held,
  tusk.suspend(held.id, held.claim, '[{"kind": "signal", "name": "paid", "for": "1 day"}]') as over;

-- write_chunks
select tusk.write_chunks(id, claim, array['"Hello"', '" Ada"']::jsonb[]) from tusk.claim('mail');
