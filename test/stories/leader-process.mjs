// A worker in a process of its own that takes part in the chores, for stories in which leaders die.
// Its chore `witness` writes down who led in which term, through the transaction that only a leader can
// commit. HABIT makes it a chore that does not behave. Runs the built package: BUILD is where that is.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const { BUILD, DATABASE_URL, HABIT, OPTIONS, TIMEOUT_MS } = process.env
const { startWorker } = await import(`${BUILD}/dist/worker/worker.js`)
const { defineChore } = await import(`${BUILD}/dist/chores/chore.js`)

const { chores, ...options } = JSON.parse(OPTIONS)
const schema = pg.escapeIdentifier(options.schema)
const say = (line) => process.stdout.write(`${line}\n`)

const write = (db, { term, worker }) =>
  db.query(`insert into ${schema}.witnessed (term, worker) values ($1, $2)`, [String(term), worker])

/** Says that it is inside its transaction, having written, and does something there. */
const inside = (work) => (context) =>
  context.transaction(async (db) => {
    await write(db, context)
    say(`inside term ${context.term}`)
    await work(db, context)
  })

const habits = {
  /** As it should be. */
  none: (context) => context.transaction((db) => write(db, context)),
  /** Takes its time between two writes of one transaction. */
  dwells: inside(async (db, context) => {
    await pause(500)
    await write(db, context)
  }),
  /** Hears no signal, and writes on a connection of its own until the database refuses it. */
  deaf: async ({ term, worker }) => {
    const db = new pg.Client(DATABASE_URL)
    await db.connect()
    try {
      for (;;) {
        await db.query(
          `with fenced as materialized (select ${schema}.fence('witness', $1, $2))
           insert into ${schema}.witnessed (worker, term) select $1, $2 from fenced`,
          [worker, String(term)],
        )
        await pause(100)
      }
    } catch (error) {
      say(`refused in term ${term}: ${error.code}`)
    } finally {
      await db.end()
    }
  },
  /** Waits for the database for ever. */
  sleeps: inside((db) => db.query('select pg_sleep(600)')),
  /** Waits for nothing for ever. */
  hangs: inside(() => new Promise(() => {})),
  /** Lets nothing else of its process run, for ever. */
  blocks: inside(() => {
    for (;;);
  }),
}

const witness = defineChore({
  name: 'witness',
  everyMs: 100,
  timeoutMs: Number(TIMEOUT_MS),
  run: async (context) => {
    await habits[HABIT](context)
  },
})

const log = (fields, message) => say(`log: ${message} ${JSON.stringify(fields)}`)

await startWorker({
  database: DATABASE_URL,
  ...options,
  chores: { ...chores, chores: [witness] },
  logger: { debug: log, info: log, warn: log, error: log },
  tasks: { ticks: () => {} },
})
say(`ready at ${Date.now()}`)
