import { describe, expect } from 'vitest'
import { test, well } from '../support/doctor.ts'
import { durableVerbs } from '../support/durable.ts'

const day = 86_400

describe('the doctor looks at signals that tasks wait for', () => {
  test('and names one without a time-out, since when it is awaited, and signals that do not match', async ({
    engine,
    look,
  }) => {
    const { suspend, signal } = durableVerbs(engine)
    const task = await engine.running({ queue: 'order' })
    await suspend(task, { kind: 'signal', name: 'paid in full' })
    expect(await look('waits')).toEqual(well('waits'))

    await engine.rows(
      `update tasks set waits = jsonb_set(waits, '{since}', '"2026-01-02T03:04:05Z"')`,
    )
    await signal(task.id, 'payed')
    const [finding, ...others] = await look('waits')

    expect(others).toEqual([])
    expect(finding).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(
        new RegExp(
          `^Task ${task.id} of the queue order has been waiting for the signal "paid in full" since 2026-01-02T03:04:05.000Z \\(\\d+ days\\), without a time-out\\.$`,
        ),
      ),
      details: {
        queue: 'order',
        signal: 'paid in full',
        tasks: 1,
        task: task.id,
        unread: ['payed'],
      },
    })
    expect(finding?.hint).toContain(`Task ${task.id} was sent "payed", which it does not wait for.`)
    expect(finding?.hint).toContain(`tusk task signal ${task.id} "paid in full"`)

    await signal(task.id, 'paid in full')
    expect(await look('waits')).toEqual(well('waits'))
  })

  test('and leaves out waits with a time-out, delays and children', async ({ engine, look }) => {
    const { suspend, spawn } = durableVerbs(engine)
    await suspend(await engine.running(), { kind: 'signal', name: 'paid', for: '1 year' })
    await suspend(await engine.running(), { kind: 'delay', name: 'rest', for: '1 year' })
    const parent = await engine.running()
    await spawn(parent, { child: { queue: 'child' } })
    await suspend(parent, { kind: 'children', children: ['child'] })

    expect(await look('waits', { awaitedSeconds: -1 })).toEqual(well('waits'))
  })

  test('and lists the ten that are awaited longest, also in a fair queue', async ({
    engine,
    look,
  }) => {
    const { suspend } = durableVerbs(engine)
    await engine.setQueue('fair', { is_fair: true })
    for (let n = 0; n < 11; n++) {
      await suspend(await engine.running(), { kind: 'signal', name: `signal ${n}` })
    }
    for (let n = 0; n < 2; n++) {
      const task = await engine.running({ queue: 'fair', groups: ['ada'] })
      await suspend(task, { kind: 'signal', name: 'paid' })
    }
    await engine.rows(
      `update tasks set waits = jsonb_set(waits, '{since}', to_jsonb(now() - interval '9 days')) where queue = 'fair'`,
    )

    const findings = await look('waits', { awaitedSeconds: -1 })

    expect(findings).toHaveLength(11)
    expect(findings[0]).toMatchObject({
      message: expect.stringMatching(
        /^2 tasks of the queue fair are waiting for the signal "paid"/,
      ),
      details: { tasks: 2 },
    })
    expect(findings[10]?.message).toBe('Tasks are waiting for 2 more signals without a time-out.')
    expect(await look('waits', { awaitedSeconds: 10 * day })).toEqual(well('waits'))
  })
})
