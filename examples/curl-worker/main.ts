import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Tusk } from 'pgtusk'
import { serveHttp } from 'pgtusk/http'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const tusk = await Tusk.open()

// With this token, a worker may claim tasks of one queue, and nothing else.
const { token } = await tusk.tokens.create({ name: 'shouter', scopes: ['consume:shouts'] })
const server = await serveHttp({ tusk, port: 0 })

const worker = spawn('sh', [here('worker.sh'), 'shouts', 'sh', here('handle.sh')], {
  env: { PATH: process.env['PATH'], TUSK_URL: server.url, TUSK_TOKEN: token },
  stdio: 'inherit',
})

const hello = await tusk.enqueueTask({ queue: 'shouts', payload: { text: 'hello' } })
console.log(await hello.wait())

// There is no text to shout, so the command fails. The task has only one attempt.
const silent = await tusk.enqueueTask({ queue: 'shouts', payload: {}, maxAttempts: 1 })
await silent.wait().catch((error: Error) => console.log(error.message))

worker.kill()
await server.close()
await tusk.close()
