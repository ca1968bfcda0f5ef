import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

export const durability: Check = {
  name: 'durability',
  fine: 'What is committed survives a crash.',
  needsEngine: true,
  look: async (at) => [...(await settingsOff(at)), ...(await unlogged(at))],
}

async function settingsOff(at: Examination): Promise<Symptom[]> {
  const off = await ask<{ name: string }>(
    at,
    `select name from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
     order by name`,
  )
  return off.map(({ name }) => ({
    level: name === 'synchronous_commit' ? ('warning' as const) : ('problem' as const),
    message: `${name} is off: a crash of the server loses tasks that were acknowledged.`,
    hint: `Set ${name} = on, unless you accept that loss.`,
    details: { setting: name },
  }))
}

async function unlogged(at: Examination): Promise<Symptom[]> {
  const tables = await ask<{ name: string }>(
    at,
    `select relname as name from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r' and relpersistence = 'u'
     order by relname`,
    [at.quotedSchema],
  )
  if (tables.length === 0) return []
  const names = tables.map(({ name }) => name)
  return [
    {
      level: 'problem',
      message: `Tables are unlogged, and empty after a crash: ${formatList(names)}.`,
      hint: 'Make them survive a crash: alter table … set logged',
      details: { tables: names },
    },
  ]
}
