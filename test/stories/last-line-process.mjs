// A worker whose logger writes in the background, as pino's asynchronous destinations and transports do.
import pino from 'pino'

const { startWorker } = await import(`${process.env.BUILD}/dist/worker/worker.js`)

const destinations = {
  usual: () => undefined,
  asynchronous: () => pino.destination({ sync: false }),
  buffered: () => pino.destination({ sync: false, minLength: 4096 }),
  transport: () => pino.transport({ target: 'pino/file', options: { destination: 1 } }),
  slow: () => pino.transport({ target: new URL('./slow-transport.mjs', import.meta.url).href }),
}
const destination = destinations[process.env.DESTINATION]()
const worker = await startWorker({
  database: process.env.DATABASE_URL,
  ...JSON.parse(process.env.OPTIONS),
  ...(destination === undefined ? {} : { logger: pino({}, destination) }),
  tasks: { work: () => {} },
})
if (process.env.ENDS === 'exit') {
  await worker.stop()
  process.exit(0)
}
process.stdout.write('ready\n')
