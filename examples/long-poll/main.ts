// A browser or a script enqueues over HTTP and gets the result in the same answer. If the work takes
// longer than it wants to wait, it asks again.
import { startWorker, Tusk } from 'pgtusk'
import { serveHttp } from 'pgtusk/http'

const tasks = { square: async ({ n }: { n: number }) => n * n }

const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })
const token = `tusk_examples_${'x'.repeat(43)}`
const server = await serveHttp({ tusk, token, port: 0, logger: false })
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  prefer: 'wait=10',
}

interface Task {
  id: string
  state: string
  output: unknown
}

const body = JSON.stringify({ queue: 'square', payload: { n: 7 } })
const answer = await fetch(`${server.url}/api/v1/tasks`, { method: 'POST', headers, body })
let { task } = (await answer.json()) as { task: Task }
while (task.state !== 'done' && task.state !== 'failed' && task.state !== 'cancelled') {
  const again = await fetch(`${server.url}/api/v1/tasks/${task.id}`, { headers })
  task = (await again.json()) as Task
}
console.log(task.state, task.output)

await server.close()
await worker.stop()
await tusk.close()
