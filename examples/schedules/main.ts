import { type Context, describeClockNote, startWorker, Tusk } from 'pgtusk'

let beats = 0
let onSecondBeat = () => {}
const secondBeat = new Promise<void>((resolve) => {
  onSecondBeat = resolve
})

const tasks = {
  report: ({ of }: { of: string }) => `report of ${of}`,
  /** The meta of a schedule's task has the schedule's name and the planned time. */
  beat: (_: object, { task }: Context) => {
    beats += 1
    const { schedule } = task.meta as { schedule: string }
    if (beats <= 2) console.log(`${schedule}: beat ${beats}`)
    if (beats === 2) onSecondBeat()
  },
}

const tusk = await Tusk.open({ tasks })
await tusk.schedules.set('nightly report', {
  task: { name: 'report', payload: { of: 'yesterday' } },
  cron: '30 2 * * *',
  zone: 'Europe/Berlin',
  overlap: 'skip',
})

// Preview what happens when the clocks change.
const from = new Date('2027-03-27')
for (const time of await tusk.schedules.preview('nightly report', { count: 3, from }))
  console.log(time.local, describeClockNote(time) ?? '')

// Schedules that belong to the code are given to the worker, which applies them at every start.
const worker = await startWorker({
  database: tusk.pool,
  tasks,
  logger: false,
  schedules: { heartbeat: { task: { name: 'beat' }, every: '1 second' } },
})
await secondBeat

// Fires the nights before the schedule existed, each once, however often this runs.
const filled = await tusk.schedules.backfill(
  'nightly report',
  new Date('2026-11-01'),
  new Date('2026-11-04T12:00:00Z'),
)
console.log(`${filled.fired} nights made up for`)

await worker.stop()
await tusk.close()
