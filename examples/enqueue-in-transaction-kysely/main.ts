import { Kysely, PostgresDialect, sql } from 'kysely'
import { Tusk } from 'pgtusk'
import { fromKysely } from 'pgtusk/adapters'

interface Database {
  customers: { id: number; name: string }
}

const tusk = await Tusk.open({
  tasks: { welcome: async ({ customer }: { customer: number }) => `welcome, ${customer}` },
})
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: tusk.pool }) })
await sql`create table if not exists customers (id integer primary key, name text not null)`.execute(
  db,
)
await db.deleteFrom('customers').execute()

// The customer and the task are there together, or not at all.
await db.transaction().execute(async (trx) => {
  await trx.insertInto('customers').values({ id: 1, name: 'Ada' }).execute()
  await tusk.enqueue('welcome', { customer: 1 }, { on: fromKysely(trx), delay: '10 minutes' })
})
await db
  .transaction()
  .execute(async (trx) => {
    await tusk.enqueue('welcome', { customer: 2 }, { on: fromKysely(trx) })
    await trx.insertInto('customers').values({ id: 1, name: 'Bob' }).execute()
  })
  .catch((error: Error) => console.log(error.message))

const { tasks } = await tusk.tasks.list({ queue: 'welcome' })
console.log(tasks.length, 'task,', tasks[0]?.state)

await tusk.close()
