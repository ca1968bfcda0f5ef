// A worker in a process of its own, for stories in which processes die. Says on standard output what
// its handlers do. Runs the built package: BUILD is where that is.

const { startWorker } = await import(`${process.env.BUILD}/dist/worker/worker.js`)

/** Keeps the event loop to itself. */
function block(ms) {
  const end = Date.now() + ms
  while (Date.now() < end);
}

function pause(ms, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      process.stdout.write(`aborted ${signal.reason.reason}\n`)
      fail(signal.reason)
    })
  })
}

const said = (fields, message) =>
  process.stdout.write(`log: ${message} ${JSON.stringify(fields)}\n`)

await startWorker({
  database: process.env.DATABASE_URL,
  ...JSON.parse(process.env.OPTIONS),
  logger: { debug: said, info: said, warn: said, error: said },
  tasks: {
    work: async ({ ms = 0, blocks = false, isDeaf = false }, { task, attempt, signal }) => {
      process.stdout.write(`begin ${task.id} attempt ${attempt}\n`)
      if (blocks) block(ms)
      else await pause(ms, isDeaf ? new AbortController().signal : signal)
      process.stdout.write(`end ${task.id}\n`)
      return process.pid
    },
  },
})
process.stdout.write('ready\n')
