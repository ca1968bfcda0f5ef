// A program calls the HTTP API, and the answer is lost on the way. It sends the request again with the
// same Idempotency-Key: the task is stored once, and the second answer equals the first.
import { Tusk } from 'pgtusk'
import { serveHttp } from 'pgtusk/http'

const tusk = await Tusk.open()
const token = `tusk_examples_${'x'.repeat(43)}`
const server = await serveHttp({ tusk, token, port: 0, logger: false })

async function placeOrder(order: number): Promise<Response> {
  return fetch(`${server.url}/api/v1/tasks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `order ${order}`,
    },
    body: JSON.stringify({ queue: 'orders', payload: { order } }),
  })
}

const first = (await (await placeOrder(7)).json()) as { id: string }
const again = await placeOrder(7)
const second = (await again.json()) as { id: string }
console.log('same task:', second.id === first.id)
console.log('replayed:', again.headers.get('idempotency-replayed'))
console.log('stored:', (await tusk.tasks.count({ queue: 'orders' })).count)

await server.close()
await tusk.close()
