import { createRequire } from 'node:module'
import { installDialect } from 'pgtusk'

interface Doc {
  readonly subject: string
  readonly payload: { readonly total: number }
  complete(options?: object): object
  reschedule(next: string): object
}
interface Client {
  boot(): Promise<Client>
  end(): Promise<void>
  doc: { push(queue: string, doc: object): Promise<{ queued_docs: number }> }
  metric: { compute(queue: string): Promise<Record<string, number>> }
}

// The client is old: it is CommonJS and has no types.
const fetchq = createRequire(import.meta.url)('fetchq') as (config: object) => Client

const url = process.env['DATABASE_URL'] ?? ''
await installDialect(url, { dialect: 'fetchq' })

const seen: string[] = []
const client = await fetchq({
  connectionString: url,
  logLevel: 'error',
  queues: [{ name: 'orders' }],
  workers: [
    {
      queue: 'orders',
      sleep: 100,
      handler: (doc: Doc) => {
        seen.push(doc.subject)
        return doc.payload.total > 100 ? doc.reschedule('+1 day') : doc.complete()
      },
    },
  ],
}).boot()

await client.doc.push('orders', { subject: 'A-1', payload: { total: 30 } })
await client.doc.push('orders', { subject: 'A-2', payload: { total: 300 } })
const again = await client.doc.push('orders', { subject: 'A-1', payload: { total: 30 } })
console.log(`pushed again: ${again.queued_docs}`)

const isOver = ({ cpl, pln }: Record<string, number>) => cpl === 1 && pln === 1
while (!isOver(await client.metric.compute('orders')))
  await new Promise((resolve) => setTimeout(resolve, 50))
console.log(`handled: ${seen.join(', ')}; one is completed, one comes back tomorrow`)
await client.end()
