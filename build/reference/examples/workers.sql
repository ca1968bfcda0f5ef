-- Examples of the SQL reference. A test runs each of them. The worker w-1 is registered.

-- drain_worker
select tusk.drain_worker('w-1');

-- forget_workers
select tusk.forget_workers('{w-1}');

-- heartbeat
select lost, draining
from (select array_agg(id) as ids, array_agg(claim) as claims from tusk.claim('mail', 10, 'w-1')) as held,
  tusk.heartbeat('w-1', held.ids, held.claims, held.ids);

-- next_due
select tusk.next_due('{mail}');

-- register_worker
select tusk.register_worker('py-1', '{mail}', 4, 'host-7', 4711, '1.0', p_kinds => '{handler}', p_handlers => '{welcome}',
  p_versions_from => '{1}', p_versions_to => '{2}');

-- sleep
select tusk.sleep('w-1', '{mail}', '1 minute');

-- wake
select tusk.wake('w-1');
