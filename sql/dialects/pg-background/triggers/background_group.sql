-- Groups are made by the first claim that needs them. Nobody else's groups pay for this.

create or replace trigger background_group
  before insert on groups
  for each row
  when (new.name = 'pg_background' or new.name ^@ 'pg_background:')
  execute function background_group();
