import { expect, inject, test } from 'vitest'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import { startWorker } from '../../../src/worker/worker.ts'
import { inOwnDatabase } from '../../support/own-database.ts'

const everywhere = { dialect: 'pg-background', schema: 'public' } as const

test('has its calls in the schema public too, after an upgrade as before, and not for others', async () => {
  await inOwnDatabase('fetchq', async ({ name, connect }) => {
    const owner = await connect()
    await owner.query(`create function public.pg_background_launch(text, integer, text[], text, integer, integer)
      returns bigint language sql as 'select 1::bigint'`)
    await expect(installDialect(owner, everywhere)).rejects.toThrow(
      'the schema public already has a function pg_background_launch',
    )
    await owner.query(
      'drop function public.pg_background_launch(text, integer, text[], text, integer, integer)',
    )

    expect(await installDialect(owner, everywhere)).toMatchObject({ schema: 'background' })
    await owner.query(`update background.installed set hash = 'old' where path = 'grants.sql'`)
    await installDialect(owner, everywhere)

    const worker = await startWorker({
      database: new URL(`/${name}`, inject('pgUrl')).href,
      sql: true,
      queues: ['pg_background'],
      signals: false,
      logger: false,
    })
    const { rows: launched } = await owner.query(
      `select public.pg_background_launch('select n, n || ''!'' as said from generate_series(1, 2) as n') as id`,
    )
    const { rows } = await owner.query(
      'select * from public.pg_background_result($1) as (n integer, said text)',
      [launched[0].id],
    )
    expect(rows).toEqual([
      { n: 1, said: '1!' },
      { n: 2, said: '2!' },
    ])
    const { rows: ran } = await owner.query(
      `call public.pg_background_run_query('select 7 as seven')`,
    )
    expect(ran[0].result).toEqual([{ seven: 7 }])
    await worker.stop()

    await owner.query('create role public_caller; set role public_caller')
    await expect(owner.query(`select public.pg_background_launch('select 1')`)).rejects.toThrow(
      'permission denied for function pg_background_launch',
    )
    await owner.query('reset role; drop role public_caller')
    await owner.query('select background.pg_background_unpublish()')
    await expect(owner.query(`select public.pg_background_launch('select 1')`)).rejects.toThrow(
      'does not exist',
    )
  })
})

test('shows with SHOW what was set', async () => {
  await inOwnDatabase('pg-background', async ({ connect, dialectSchema }) => {
    const client = await connect({ options: `-c search_path=${dialectSchema}` })
    await client.query(`select pg_background_set_defaults('{"retry_count": 2}')`)
    await client.query(`select pg_background_set_topic('mail', '{"delay_in_sec": 0.5}')`)
    await client.query(`select pg_background_set_topic('e-mail', '{"delay_in_sec": 1}')`)

    const { rows } = await client.query('show pg_background.retry_count')
    const { rows: topic } = await client.query('show pg_background.delay_in_sec.mail')
    expect([...rows, ...topic]).toEqual([
      { 'pg_background.retry_count': '2' },
      { 'pg_background.delay_in_sec.mail': '0.5' },
    ])
    // Null puts the built-in value back, also for those who launch in this session.
    await client.query(`select pg_background_set_defaults('{"retry_count": null}')`)
    await client.query(`select pg_background_launch('select 1')`)
  })
})
