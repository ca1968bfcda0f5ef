-- Groups are made by the first claim that needs them. Nobody else's groups pay for this.

select attach_trigger(
  'group created', 'background_group', 'before', $$new.name = 'pg_background' or new.name ^@ 'pg_background:'$$,
  'background_group()');
