import { expect } from 'vitest'
import { stored } from '../samples.ts'
import type { World } from '../scenario.ts'

/** The first row. */
export const one = async (rows: Promise<Record<string, unknown>[]>) => (await rows)[0] ?? {}
/** The first column of the first row. */
export const first = async <T>(rows: Promise<Record<string, unknown>[]>) =>
  Object.values(await one(rows))[0] as T

/** The row of the only task there is. */
export async function onlyTask({ engine }: World) {
  const ids = await engine.rows<{ id: string }>(
    'select id from tasks union all select id from finished',
  )
  expect(ids).toHaveLength(1)
  return { id: ids[0]?.id ?? '', row: await stored(engine, ids[0]?.id ?? '') }
}
