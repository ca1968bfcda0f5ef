// A file of 2,500 customers becomes 2,500 tasks. Each bulk is one statement, which stores all its tasks or
// none. Because of the keys you can safely run the import again if it failed half way.
import { Tusk } from 'pgtusk'

const tasks = { welcome: async ({ email }: { email: string }) => `welcomed ${email}` }
const customers = Array.from({ length: 2_500 }, (_, n) => ({ email: `${n}@example.org` }))

const tusk = await Tusk.open({ tasks })

async function importAll(): Promise<string[]> {
  const outcomes: string[] = []
  for (let from = 0; from < customers.length; from += 1_000) {
    const bulk = customers.slice(from, from + 1_000)
    const stored = await tusk.enqueueMany(
      bulk.map((payload) => ({ name: 'welcome', payload, key: payload.email })),
    )
    outcomes.push(...stored.map(({ outcome }) => outcome))
  }
  return outcomes
}

for (const run of ['first', 'second']) {
  const outcomes = await importAll()
  const created = outcomes.filter((outcome) => outcome === 'created').length
  console.log(`${run} run: ${created} created, ${outcomes.length - created} were there`)
}
await tusk.close()
