import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { Tusk } from 'pgtusk'
import { fromDrizzle } from 'pgtusk/adapters'

const orders = pgTable('orders', { id: integer().primaryKey(), customer: text().notNull() })

const tusk = await Tusk.open({
  tasks: { send_invoice: async ({ order }: { order: number }) => `invoice for ${order}` },
})
// The same pool serves both; any other connection to the same database would do.
const db = drizzle(tusk.pool)
await db.execute(
  sql`create table if not exists orders (id integer primary key, customer text not null)`,
)
await db.delete(orders)

// The order and its task are there together, or not at all.
await db.transaction(async (tx) => {
  await tx.insert(orders).values({ id: 7, customer: 'Ada' })
  await tusk.enqueue('send_invoice', { order: 7 }, { on: fromDrizzle(tx, sql), key: 'order 7' })
})
await db
  .transaction(async (tx) => {
    await tx.insert(orders).values({ id: 8, customer: 'Bob' })
    await tusk.enqueue('send_invoice', { order: 8 }, { on: fromDrizzle(tx, sql), key: 'order 8' })
    throw new Error('Bob changed his mind')
  })
  .catch((error: Error) => console.log(error.message))

const { tasks } = await tusk.tasks.list({ queue: 'send_invoice' })
console.log((await db.select().from(orders)).length, 'order')
console.log(tasks.length, 'task, for order', JSON.stringify(tasks[0]?.payload))

await tusk.close()
