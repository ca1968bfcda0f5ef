// Each order is sent to a partner's webhook: signed, one request per task, retried while the partner is
// down. The partner of this example is a server in the same process, which is down for the first request.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { startWorker, Tusk } from 'pgtusk'

const secret = 'the secret that both know'
let requests = 0
const partner = createServer(async (request, response) => {
  requests += 1
  const body = (await request.toArray()).join('')
  const { 'webhook-id': id, 'webhook-timestamp': at } = request.headers
  const signature = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
  const isOurs = request.headers['webhook-signature'] === `v1,${signature}`
  const status = isOurs ? 200 : 401
  response.writeHead(requests === 1 ? 503 : status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ received: JSON.parse(body).data.order }))
})
await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
const address = partner.address()
const port = typeof address === 'object' ? address?.port : undefined

const tusk = await Tusk.open()
await tusk.queues.setPush('orders', {
  url: `http://127.0.0.1:${port}/hooks`,
  secrets: [{ callback: 'partner' }],
})
const worker = await startWorker({
  database: tusk.pool,
  push: { allow: [`127.0.0.1:${port}`], secrets: { partner: () => secret } },
  logger: false,
})

const task = await tusk.enqueueTask({
  queue: 'orders',
  payload: { order: 7 },
  backoff: { kind: 'fixed', base: '100 ms' },
})
console.log(await task.wait(), `after ${requests} requests`)

await worker.stop()
await tusk.close()
partner.close()
