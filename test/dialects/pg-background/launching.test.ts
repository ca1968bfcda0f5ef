import { describe, expect } from 'vitest'
import { test } from '../../support/background.ts'

describe('pg_background_launch', () => {
  test('stores the task, answers with its id, and the task runs (BG-01, BG-20 to BG-22, BG-36)', async ({
    launch,
    workBackground,
    endOf,
    ask,
  }) => {
    await workBackground()

    const id = await launch('select 40 + 2 as answer')

    expect(id).toMatch(/^\d+$/)
    expect(await endOf(id)).toMatchObject({ state: 'finished', retry_count: 0, errors: null })
    expect(await ask('select answer from pg_background_result($1) as (answer integer)', id)).toBe(
      42,
    )
  })
})
