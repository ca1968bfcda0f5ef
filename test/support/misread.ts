import type pg from 'pg'

/**
 * The functions of a schema that mean something else in a session without standard_conforming_strings:
 * bodies are read in the session of their caller, and there '\d' is the letter d.
 */
export async function misread(reader: pg.Client, schema: string): Promise<string[]> {
  const { rows: functions } = await reader.query<{ name: string; definition: string }>(
    `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition
     from pg_proc where pronamespace = quote_ident($1)::regnamespace and prokind = 'f'`,
    [schema],
  )
  if (functions.length < 10) throw new Error(`there is hardly a function in ${schema}`)
  const found: string[] = []
  let read = ''
  const note = ({ message }: { message?: string | undefined }) => found.push(`${read}: ${message}`)
  reader.on('notice', note)
  await reader.query('begin')
  await reader.query(
    `select set_config('search_path', concat(quote_ident($1), ', ', current_setting('search_path')), true)`,
    [schema],
  )
  await reader.query('set local client_min_messages = warning')
  await reader.query('set local standard_conforming_strings = off')
  for (const { name, definition } of functions) {
    read = name
    await reader.query(definition)
  }
  await reader.query('rollback')
  reader.off('notice', note)
  return found
}
