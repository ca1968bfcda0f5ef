-- Groups are made by the first claim that needs them. Groups of other queues do not pay for this.

select attach_trigger(
  'group created', 'background_group', 'before', $$new.name = 'pg_background' or new.name ^@ 'pg_background:'$$,
  'background_group()');
