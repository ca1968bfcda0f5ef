import { fileURLToPath } from 'node:url'
import { describe, expect, inject } from 'vitest'
import { startProcess, test } from '../support/processes.ts'

const script = fileURLToPath(new URL('./last-line-process.mjs', import.meta.url))

describe('the last line of a worker that stops', () => {
  test.for([
    ['usual', 'signal'],
    ['asynchronous', 'signal'],
    ['buffered', 'signal'],
    ['transport', 'signal'],
    ['slow', 'signal'],
    ['asynchronous', 'exit'],
    ['buffered', 'exit'],
    ['transport', 'exit'],
    ['slow', 'exit'],
  ] as const)(
    'is written by the %s destination before a %s ends the process',
    async ([destination, ends], { build, schema, db }) => {
      await db.query('select')
      const worker = startProcess([script], {
        BUILD: build,
        DATABASE_URL: inject('pgUrl'),
        OPTIONS: JSON.stringify({ schema }),
        DESTINATION: destination,
        ENDS: ends,
      })
      if (ends === 'signal') {
        await worker.says('ready')
        worker.send('SIGTERM')
      }

      await worker.ended
      expect(worker.lines.join('\n')).toContain('"msg":"the worker has stopped"')
    },
  )
})
