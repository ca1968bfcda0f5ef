import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

export const autovacuum: Check = {
  name: 'autovacuum',
  fine: 'Autovacuum is on.',
  needsEngine: true,
  look: async (at) => [...(await switchedOff(at)), ...(await tablesWithout(at))],
}

async function switchedOff(at: Examination): Promise<Symptom[]> {
  const off = await ask<{ name: string }>(
    at,
    `select name from pg_settings where name in ('autovacuum', 'track_counts') and setting = 'off'`,
  )
  return off.map(({ name }) => ({
    level: 'problem',
    message: `${name} is off: the tables of a busy queue grow without end.`,
    hint: `alter system set ${name} = on; select pg_reload_conf()`,
    details: { setting: name },
  }))
}

async function tablesWithout(at: Examination): Promise<Symptom[]> {
  const tables = await ask<{ name: string }>(
    at,
    `select relname as name
     from pg_class
     cross join pg_options_to_table(reloptions) as option
     where relnamespace = to_regnamespace($1) and relkind = 'r'
       and option_name = 'autovacuum_enabled' and option_value in ('off', 'false', '0', 'no')
     order by relname`,
    [at.quotedSchema],
  )
  if (tables.length === 0) return []
  const names = tables.map(({ name }) => name)
  return [
    {
      level: 'warning',
      message: `Autovacuum is off for ${formatList(names)}.`,
      hint: 'alter table … reset (autovacuum_enabled)',
      details: { tables: names },
    },
  ]
}
