-- share_books() — lets a packer in beside others; false while a caller counts anew, see lock_books()

create or replace function share_books()
  returns boolean
  language plpgsql
as $$
begin
  lock table books in row share mode nowait;
  return true;
exception when lock_not_available then
  return false;
end;
$$;
