import { describe, expect } from 'vitest'
import { callingAs } from '../../src/engine/calling-as.ts'
import { test } from '../support/client.ts'

describe('tusk.audit', () => {
  test('reads by page, and narrowed by who, what and to what', async ({ tusk, db }) => {
    const as = (actor: string) => callingAs(db, { actor }, (on) => tusk.queues.pause(actor, { on }))
    for (const actor of ['ada', 'bob', 'eve']) {
      await tusk.queues.set(actor, {})
      await as(actor)
    }

    const [newest, second] = await tusk.audit.list({ limit: 2 })

    expect([newest, second]).toMatchObject([{ actor: 'eve' }, { actor: 'bob' }])
    expect(await tusk.audit.list({ before: second?.id })).toMatchObject([{ actor: 'ada' }])
    expect(await tusk.audit.list({ actor: 'bob' })).toMatchObject([{ object: 'queue bob' }])
    expect(await tusk.audit.list({ object: 'queue eve' })).toHaveLength(1)
    expect(await tusk.audit.list({ action: 'resume' })).toEqual([])
  })
})
