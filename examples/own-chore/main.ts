import { setTimeout as pause } from 'node:timers/promises'
import { defineChore, startWorker, Tusk } from 'pgtusk'

/** Ends carts that their customers have left. A cart ends once, however many workers run this. */
const endCarts = defineChore({
  name: 'end_carts',
  everyMs: 1_000,
  timeoutMs: 10_000,
  batch: 100,
  run: ({ transaction, batch }) =>
    transaction(async (db) => {
      const { rowCount } = await db.query(
        `update carts set ended_at = now()
         where id = any (array(
           select id from carts
           where ended_at is null and touched_at < now() - interval '30 minutes'
           limit $1 for update skip locked
         ))`,
        [batch],
      )
      // After a full batch the chore runs again at once.
      return { processed: rowCount ?? 0 }
    }),
})

const tusk = await Tusk.open()
await tusk.pool.query(`
  create table carts (id integer primary key, touched_at timestamptz, ended_at timestamptz);
  insert into carts select n, now() - (n % 10) * interval '1 hour' from generate_series(1, 280) as n`)

const join = () =>
  startWorker({
    database: tusk.pool,
    tasks: { mail: () => {} },
    chores: { chores: [endCarts], strategy: 'lease' },
    logger: false,
  })
const workers = await Promise.all([join(), join()])

const left = `select 1 from carts where ended_at is null and touched_at < now() - interval '30 minutes'`
while ((await tusk.pool.query(left)).rows.length > 0) await pause(50)

const leaders = await tusk.pool.query(
  `select strategy, term from tusk.leader where chore = 'end_carts'`,
)
console.log(leaders.rows)
const ended = await tusk.pool.query('select count(*) from carts where ended_at is not null')
console.log(`${ended.rows[0].count} carts ended, ${workers.length} workers, one leader`)

await Promise.all(workers.map((worker) => worker.stop()))
await tusk.close()
