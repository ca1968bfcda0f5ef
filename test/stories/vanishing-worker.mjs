// A worker that gets as far as COMMIT and no further, for stories in which its host vanishes there.
// Runs the built package: BUILD is where that is.

import pg from 'pg'

const { startWorker } = await import(`${process.env.BUILD}/dist/worker/worker.js`)
const { query } = pg.Client.prototype

/** As on a system that lacks these settings: the server waits until TCP gives up, which takes hours. */
const withoutSettings = `
  set tcp_keepalives_idle = 7200; set tcp_user_timeout = 0;
  set client_connection_check_interval = 0; set idle_in_transaction_session_timeout = 0`

pg.Client.prototype.query = async function (...given) {
  if (given[0] !== 'commit') return query.apply(this, given)
  if (process.env.WITHOUT_SETTINGS) await query.call(this, withoutSettings)
  process.stdout.write('before commit\n')
  return new Promise(() => {})
}

await startWorker({
  database: process.env.DATABASE_URL,
  ...JSON.parse(process.env.OPTIONS),
  logger: false,
  chores: false,
  tasks: { work: (_, { transaction }) => transaction(async () => process.pid) },
})
process.stdout.write('ready\n')
