// A worker in a process of its own, for stories in which processes die. Says on standard output what
// its handlers do. Runs the built package: BUILD is where that is.

import { existsSync } from 'node:fs'

const { startWorker } = await import(`${process.env.BUILD}/dist/worker/worker.js`)

/** Keeps the event loop to itself until the story has made a file. */
function blockUntil(file) {
  while (!existsSync(file));
}

async function waitUntil(file) {
  while (!existsSync(file)) await new Promise((done) => setTimeout(done, 20))
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
    // `blocksUntil` and `waitsUntil` name a file; whoever waits for one is deaf to its signal.
    work: async ({ ms = 0, blocksUntil, waitsUntil }, { task, attempt, signal }) => {
      process.stdout.write(`begin ${task.id} attempt ${attempt}\n`)
      if (blocksUntil !== undefined) blockUntil(blocksUntil)
      else if (waitsUntil !== undefined) await waitUntil(waitsUntil)
      else await pause(ms, signal)
      process.stdout.write(`end ${task.id}\n`)
      return process.pid
    },
    // Five steps around a signal and a delay, each with an effect in the table of the story.
    durable: async ({ n, table }, ctx) => {
      for (const step of [1, 2, 3, 4, 5]) {
        if (step === 3) {
          const { by } = await ctx.receive('go')
          await ctx.delay('pause', 10)
          process.stdout.write(`woken ${n} by ${by}\n`)
        }
        await ctx.transaction(`step ${step}`, async (tx) => {
          await tx.query(`insert into ${table} values ($1, $2)`, [n, step])
          await tx.query('select pg_sleep(0.02)')
        })
      }
    },
  },
})
process.stdout.write('ready\n')
