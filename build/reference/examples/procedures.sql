-- Examples of the SQL reference. A test runs each of them; examples/durable-procedure runs procedures to their end.

-- await
create procedure fulfil(p_order integer) language plpgsql as $$
declare
  v_payment jsonb;
begin
  call tusk.await('paid', v_payment, p_timeout => '1 day');
end;
$$;
select tusk.run('fulfil', '{42}');

-- delay
create procedure fulfil(p_order integer) language plpgsql as $$
begin
  call tusk.delay('cool down', '2 hours');
end;
$$;
select tusk.run('fulfil', '{42}');

-- run
create procedure fulfil(p_order integer) language plpgsql as $$
begin
  call tusk.delay('cool down', '2 hours');
end;
$$;
select tusk.run('fulfil', '{42}', p_groups => '{customer 7}');

-- step
create procedure fulfil(p_order integer) language plpgsql as $$
declare
  v_charge jsonb;
begin
  call tusk.step('charge', format('insert into payments (account_id) values (%s) returning account_id', p_order), v_charge);
end;
$$;
select tusk.run('fulfil', '{42}');
