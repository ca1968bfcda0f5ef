import { describe, expect, test } from 'vitest'
import { defineTask } from '../../src/tasks/define-task.ts'
import { failForGood, kill, reject, reschedule } from '../../src/tasks/steering.ts'
import { openHere } from '../support/testing.ts'

const cause = new Error('mail server is down')
const sendMail = defineTask({
  name: 'send_mail',
  maxAttempts: 2,
  run: (): string => {
    throw new Error('not sent', { cause })
  },
})

describe('a handler that fails', () => {
  test('is tried again when its backoff is over, and not before', async () => {
    let calls = 0
    const flaky = () => {
      calls += 1
      if (calls === 1) throw new Error('not yet')
      return calls
    }
    await using here = await openHere({ flaky })
    await here.tusk.enqueue('flaky')

    expect(await here.runAll()).toMatchObject([{ outcome: 'failed', state: 'retrying' }])
    expect(await here.runAll()).toEqual([])
    await here.pass('1 minute')

    expect(await here.runAll()).toMatchObject([{ attempt: 2, outcome: 'done', output: 2 }])
  })

  test('leaves its error with the attempt', async () => {
    await using here = await openHere([sendMail])
    const { id } = await here.tusk.enqueue('send_mail', {})

    const [ran] = await here.runAll()

    const kept = { name: 'Error', message: 'not sent', cause: { message: 'mail server is down' } }
    expect(ran).toMatchObject({ error: kept, thrown: new Error('not sent') })
    expect(await here.tusk.tasks.attempts(id)).toMatchObject([{ attempt: 1, error: kept }])
  })

  test('has failed for good after its last attempt', async () => {
    await using here = await openHere([sendMail])
    await here.tusk.enqueue('send_mail', {})

    await here.runAll()
    await here.pass('1 hour')

    expect(await here.runAll()).toMatchObject([{ attempt: 2, state: 'failed' }])
  })

  test('throws its own error out of the run when asked to, once it is reported', async () => {
    await using here = await openHere([sendMail])
    const { id } = await here.tusk.enqueue('send_mail', {})

    await expect(here.runAll({ throwOnError: true })).rejects.toThrow(
      expect.objectContaining({ message: 'not sent', cause }),
    )
    expect(await here.tusk.tasks.get(id)).toMatchObject({ state: 'retrying', attempt: 1 })
  })

  test('throws the words of one that steered', async () => {
    await using here = await openHere({ refuse: () => failForGood('no such address') })
    await here.tusk.enqueue('refuse')

    await expect(here.runAll({ throwOnError: true })).rejects.toThrow(
      'refuse failed: no such address',
    )
  })

  test('fails when its output cannot be stored', async () => {
    await using here = await openHere({ count: () => 1n })
    await here.tusk.enqueueTask({ queue: 'count' })

    expect(await here.runAll()).toMatchObject([
      { outcome: 'failed', state: 'failed', error: { code: 'output_not_storable' } },
    ])
  })
})

describe('a handler that steers', () => {
  test('is rescheduled with the payload it asks for', async () => {
    const poll = ({ round }: { round: number }) =>
      round === 2 ? 'ready' : reschedule(new Date(Date.now() + 60_000), { round: round + 1 })
    await using here = await openHere({ poll })
    await here.tusk.enqueue('poll', { round: 1 })

    expect(await here.runAll()).toMatchObject([{ outcome: 'rescheduled', state: 'scheduled' }])
    await here.pass('2 minutes')

    expect(await here.runAll()).toMatchObject([{ payload: { round: 2 }, output: 'ready' }])
  })

  test('rejects, and is tried again after the delay it asks for', async () => {
    await using here = await openHere({ busy: () => reject('busy', { delay: '10 minutes' }) })
    await here.tusk.enqueue('busy')

    expect(await here.runAll()).toMatchObject([
      { outcome: 'rejected', state: 'retrying', error: { message: 'busy' } },
    ])
    await here.pass('9 minutes')
    expect(await here.runAll()).toEqual([])
    await here.pass('2 minutes')
    expect(await here.runAll()).toMatchObject([{ attempt: 2 }])
  })

  test('kills its task, or fails it whatever attempts are left', async () => {
    await using here = await openHere({ die: () => kill('never'), end: () => failForGood('no') })
    await here.tusk.enqueueMany([{ name: 'die' }, { name: 'end' }])

    expect(await here.runAll()).toMatchObject([
      { outcome: 'killed', state: 'failed' },
      { outcome: 'failed', state: 'failed' },
    ])
  })
})
