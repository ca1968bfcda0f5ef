import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

// Bodies of functions are read in the session of whoever calls them: where a backslash means something in
// every string, a pattern such as '\d' would be the letter d.
describe('in a session without standard_conforming_strings', () => {
  test('every function is read as it was meant', async ({ engine, connect }) => {
    const functions = await engine.rows<{ name: string; definition: string }>(
      `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition
       from pg_proc where pronamespace = quote_ident(current_schema())::regnamespace and prokind = 'f'`,
    )
    const reader = await connect()
    const warned: string[] = []
    let read = ''
    reader.on('notice', ({ message }) => warned.push(`${read}: ${message}`))

    await reader.query('begin')
    await reader.query('set local standard_conforming_strings = off')
    for (const { name, definition } of functions) {
      read = name
      await reader.query(definition)
    }
    await reader.query('rollback')

    expect(functions.length).toBeGreaterThan(100)
    expect(warned).toEqual([])
  })

  test('passwords are hidden, in what is shown and in what is kept', async ({
    engine,
    connect,
  }) => {
    const client = await connect()
    await client.query('set standard_conforming_strings = off')
    const there = engine.on(client)

    expect(
      await there.rows(
        `select hide_password('sql', $1) #>> '{connection,dsn}' as shown, without_secrets($2) as kept`,
        { connection: { dsn: 'host=db password=hush user=ada' } },
        JSON.stringify('postgres://ada:hush@db/bills and password: hush'),
      ),
    ).toEqual([
      {
        shown: 'host=db password=*** user=ada',
        kept: 'postgres://ada:***@db/bills and password: ***',
      },
    ])
  })
})
