import { type Context, startWorker, Tusk } from 'pgtusk'

interface Transfer {
  from: string
  to: string
  amount: number
}

const tasks = {
  /** The money moves and the task is done in one transaction: both, or neither. Never twice. */
  transfer: ({ from, to, amount }: Transfer, { transaction }: Context) =>
    transaction(async (db) => {
      await db.query('update accounts set balance = balance - $2 where owner = $1', [from, amount])
      await db.query('update accounts set balance = balance + $2 where owner = $1', [to, amount])
      return { moved: amount }
    }),
}

const tusk = await Tusk.open({ tasks })
await tusk.pool.query(
  'create table if not exists accounts (owner text primary key, balance integer)',
)
await tusk.pool.query(
  `insert into accounts values ('ada', 100), ('bob', 0)
   on conflict (owner) do update set balance = excluded.balance`,
)
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })

// Exactly 30 arrive, however often a worker dies half way.
const task = await tusk.enqueue('transfer', { from: 'ada', to: 'bob', amount: 30 })
console.log(await task.wait())

const { rows } = await tusk.pool.query('select owner, balance from accounts order by owner')
console.log(rows.map(({ owner, balance }) => `${owner} has ${balance}`).join(', '))

await worker.stop()
await tusk.close()
