import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { openTestTusk, type TestTusk } from 'pgtusk/testing'
import { type Mailer, tasksOf } from './tasks.ts'

let isBusy = false
const mailer: Mailer = { send: async () => (isBusy ? 'busy' : 'sent') }
let here: TestTusk<ReturnType<typeof tasksOf>>

// One schema for the file, emptied after each test. Without DATABASE_URL this starts a Postgres.
before(async () => {
  here = await openTestTusk({ tasks: tasksOf(mailer) })
})
afterEach(async () => {
  isBusy = false
  await here.clear()
})
after(() => here.close())

test('a new customer is welcomed', async () => {
  const task = await here.tusk.enqueue('welcome', { to: 'ada@example.org' })

  const { state, output } = await here.waitFor(task)

  assert.deepEqual({ state, output }, { state: 'done', output: 'sent' })
})

test('a busy mail server is asked again an hour later', async () => {
  isBusy = true
  await here.tusk.enqueue('welcome', { to: 'ada@example.org' })
  const [first] = await here.runAll()
  assert.equal(first?.outcome, 'rejected')

  isBusy = false
  await here.pass('59 minutes')
  assert.deepEqual(await here.runAll(), [])
  await here.pass('1 minute')
  const [second] = await here.runAll()

  assert.equal(second?.output, 'sent')
})

test('a customer is welcomed once, however often they sign up', async () => {
  await here.tusk.enqueue('welcome', { to: 'ada@example.org' }, { key: 'ada' })
  await here.tusk.enqueue('welcome', { to: 'ada@example.org' }, { key: 'ada' })

  const task = await here.expectEnqueued({ name: 'welcome', payload: { to: 'ada@example.org' } })

  assert.equal(task.key, 'ada')
  assert.equal((await here.runAll()).length, 1)
  await here.expectNothingEnqueued()
})
