// Drives an operation in a process of its own, for a story in which that dies. Says how it goes
// after each page. Runs the built package: BUILD is where that is.

const { Tusk } = await import(`${process.env.BUILD}/dist/client/tusk.js`)

const tusk = await Tusk.open({ database: process.env.DATABASE_URL, schema: process.env.SCHEMA })
const operation = await tusk.operations.start(
  { action: 'cancel', filter: { queue: 'mail' } },
  { limit: 100 },
)
for await (const { done } of operation) process.stdout.write(`did ${done}\n`)
process.stdout.write('ended\n')
