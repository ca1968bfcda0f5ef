import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { misread } from '../support/misread.ts'

describe('in a session without standard_conforming_strings', () => {
  test('every function is read as it was meant', async ({ schema, connect }) => {
    expect(await misread(await connect(), schema)).toEqual([])
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
        `select hide_password('sql', $1) #>> '{connection,dsn}' as shown, redact_secrets($2) as kept`,
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
