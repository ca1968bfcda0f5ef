// A mail that goes out three days after a sign-up, unless the customer leaves before. The test helper
// lets the days pass, so the example takes seconds.
import { defineTask } from 'pgtusk'
import { openTestTusk } from 'pgtusk/testing'

const remind = defineTask({
  name: 'remind',
  run: async ({ to }: { to: string }) => `reminded ${to}`,
})

const test = await openTestTusk({ tasks: [remind] })
const { tusk } = test

const ada = await tusk.enqueue('remind', { to: 'ada' }, { delay: '3 days', key: 'ada' })
const bob = await tusk.enqueue('remind', { to: 'bob' }, { delay: '3 days', key: 'bob' })
console.log((await tusk.tasks.get(ada.id))?.state)

// Bob deletes his account on the second day.
await test.pass('2 days')
await bob.cancel()
await test.pass('1 day')

console.log((await test.waitFor(ada)).output)
console.log((await test.waitFor(bob)).state)
await test.close()
