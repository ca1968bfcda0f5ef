// When a payment arrives, a task updates the balance and switches the account on in the background.
// The payment itself does not wait: its trigger only enqueues, in the same transaction.
import { startWorker, Tusk } from 'pgtusk'

const tusk = await Tusk.open()
const db = tusk.pool

await db.query(`
  create table accounts (id int primary key, balance numeric not null default 0, is_on boolean not null default false);
  create table payments (account_id int not null references accounts, amount numeric not null);
  insert into accounts (id) values (1), (2);

  select tusk.set_statement('settle', jsonb_build_object(
    'params', array['account'],
    'sql', $sql$
      update public.accounts
      set balance = paid, is_on = paid > 0
      from (select coalesce(sum(amount), 0) as paid from public.payments where account_id = $1) as total
      where id = $1
    $sql$));

  -- Payments of one account share one task while it waits.
  select tusk.set_trigger('payments', 'settle', '{
    "on": ["insert"], "statement": "settle", "params": {"account": "account_id"}, "key": ["account_id"]}')`)

await db.query('insert into payments values (1, 5), (1, 7), (1, 9)')
const { rows: waiting } = await db.query('select key from tusk.task')
console.log(waiting)

const worker = await startWorker({ database: db, sql: true, concurrency: 1, logger: false })
const report = await tusk.sql('select id, balance, is_on from accounts order by id', {
  priority: -1,
})
const { results } = await report.wait()
console.log(results[0]?.rows)

await worker.stop()
await tusk.close()
