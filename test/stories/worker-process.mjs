// A worker in a process of its own, for stories in which processes die. Says on standard output what
// its handlers do. Runs the built package: BUILD is where that is.

import { existsSync } from 'node:fs'
import pg from 'pg'

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

/**
 * Kills this process at one of the statements of its running worker: before it is sent, when it was sent, or
 * when it is answered.
 */
function dieAt({ statement, moment }) {
  const { query } = pg.Client.prototype
  const die = () => process.kill(process.pid, 'SIGKILL')
  let statements = 0
  pg.Client.prototype.query = function (...given) {
    statements += 1
    if (statements < statement) return query.apply(this, given)
    if (moment === 'before') die()
    const answer = query.apply(this, given)
    if (moment === 'sent') die()
    answer.then(die, die)
    return answer
  }
}

const { diesAt, ...options } = JSON.parse(process.env.OPTIONS)

const said = (fields, message) =>
  process.stdout.write(`log: ${message} ${JSON.stringify(fields)}\n`)

await startWorker({
  database: process.env.DATABASE_URL,
  ...options,
  logger: { debug: said, info: said, warn: said, error: said },
  tasks: {
    // `blocksUntil` and `waitsUntil` name a file; a handler that waits for one is deaf to its signal.
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
    // Every second step has an effect; the others only a result.
    steps: async ({ n, steps, table }, ctx) => {
      let sum = 0
      for (let step = 1; step <= steps; step++) {
        const effect = (tx) => tx.query(`insert into ${table} values ($1, $2)`, [n, step])
        sum +=
          step % 2 === 0
            ? await ctx.step(`step ${step}`, () => step)
            : await ctx.transaction(`step ${step}`, (tx) => effect(tx).then(() => step))
        if (step === steps / 2) {
          sum += await ctx.receive('go')
          await ctx.delay('pause', 1)
        }
      }
      return sum
    },
  },
})
process.stdout.write('ready\n')
if (diesAt !== undefined) dieAt(diesAt)
