// A worker and a server with the loggers that they have by default, for the test that reads their output.
// Runs the built package: BUILD is where that is.

const { defineChore, startWorker, Tusk } = await import(`${process.env.BUILD}/dist/index.js`)
const { serveHttp } = await import(`${process.env.BUILD}/dist/http/index.js`)
const { DATABASE_URL: database, SCHEMA: schema, SECRET_URL: secret } = process.env

function leak() {
  const cause = Object.assign(new Error(`no way to ${secret}`), { input: secret })
  throw Object.assign(new Error(`cannot use ${secret}`, { cause }), { detail: secret, url: secret })
}

const worker = await startWorker({
  database,
  schema,
  tasks: { leak },
  signals: false,
  chores: { chores: [defineChore({ name: 'leaky', everyMs: 50, run: leak })] },
})
const tusk = await Tusk.open({ database, schema })
const server = await serveHttp({ tusk, port: 0, authenticate: leak })
const answer = await fetch(`${server.url}/api/v1/queues?token=x`)
process.stdout.write(`${await answer.text()}\n`)
await tusk
  .enqueueTask({ queue: 'leak', maxAttempts: 1, payload: { secret } })
  .then(async ({ id }) => {
    await tusk.waitForEnd(id, { timeout: 60_000 })
  })
process.stdout.write('ready\n')
process.on('SIGTERM', async () => {
  await server.close()
  await worker.stop()
  await tusk.close()
})
