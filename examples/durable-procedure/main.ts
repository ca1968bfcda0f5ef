// The fulfilment of an order as a stored procedure. It charges, waits for the payment without a
// session, and ships; each step commits with its checkpoint.
import { startWorker, Tusk } from 'pgtusk'

const tusk = await Tusk.open()
const db = tusk.pool

await db.query(`
  create schema shop;
  create table shop.log (id int generated always as identity, what text);
  create function shop.note(p_what text) returns text language sql as
    'insert into shop.log (what) values (p_what) returning what';

  create procedure shop.fulfil(p_order bigint) language plpgsql as $$
  declare
    v jsonb;
  begin
    call tusk.step('charge', format('select shop.note(%L)', 'charged ' || p_order), v);
    call tusk.await('paid', v, p_timeout => '1 day');
    if v is null then
      call tusk.step('remind', format('select shop.note(%L)', 'reminded ' || p_order));
      return;
    end if;
    call tusk.step('thank', format('select shop.note(%L)', 'thanked ' || (v ->> 'by')));
    call tusk.delay('cool down', '50 milliseconds');
    call tusk.step('ship', format('select shop.note(%L)', 'shipped ' || p_order));
  end $$`)

const worker = await startWorker({ database: db, sql: true, logger: false })
const { rows } = await db.query<{ id: string }>(`select tusk.run('shop.fulfil', '{42}') as id`)
const id = rows[0]?.id ?? ''
// You can send the signal before the procedure waits, or while it waits: the signal is kept.
await db.query(`select tusk.signal($1::bigint, 'paid', '{"by": "ada"}')`, [id])
await tusk.waitForEnd(id)

const log = await db.query<{ what: string }>('select what from shop.log order by id')
console.log(log.rows.map(({ what }) => what))
console.log((await tusk.tasks.steps(id)).map(({ name, state }) => `${name}: ${state}`))
await worker.stop()
await tusk.close()
