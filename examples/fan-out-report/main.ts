// A report starts one task per region, waits for all of them without holding a slot, and adds up their
// results. One region fails. The report names it instead of failing too.
import { defineTask, startWorker, Tusk } from 'pgtusk'

const sales = new Map([
  ['north', [3, 4]],
  ['south', [10]],
  ['west', [20, 5]],
])

const region = defineTask({
  name: 'region',
  maxAttempts: 1,
  run: async ({ name }: { name: string }) => {
    const found = sales.get(name)
    if (found === undefined) throw new Error(`no sales of ${name}`)
    return { name, total: found.reduce((sum, each) => sum + each, 0) }
  },
})

const report = defineTask({
  name: 'report',
  run: async ({ regions }: { regions: string[] }, ctx) => {
    const children = regions.map((name) => ctx.spawn(region, { name }, { as: `region ${name}` }))
    const ends = await ctx.join(children, { onFailure: 'collect' })
    const done = ends.flatMap((end) => (end.state === 'done' ? [end.output] : []))
    return {
      total: done.reduce((sum, { total }) => sum + total, 0),
      missing: regions.filter((name) => !done.some((each) => each.name === name)),
    }
  },
})

const tasks = [report, region]
const tusk = await Tusk.open({ tasks })
// One slot is enough: the report gives it back while its children run.
const worker = await startWorker({ database: tusk.pool, tasks, concurrency: 1, logger: false })

const task = await tusk.enqueue('report', { regions: ['north', 'south', 'east', 'west'] })
console.log(await task.wait())
for (const { step, state } of (await tusk.tasks.family(task.id)).slice(1)) {
  console.log(`${step}: ${state}`)
}
await worker.stop()
await tusk.close()
