import { describe, expect } from 'vitest'
import { member, waitsForLock } from '../../support/crowd.ts'
import { testRoles } from '../../support/engine.ts'
import { test } from '../../support/sql-tasks.ts'

describe('a trigger on a table', () => {
  test('turns payments into balances and switches on customers that have paid', async ({
    db,
    engine,
    schema,
    workSql,
    allDone,
  }) => {
    await db.query(`
      create table accounts (id int primary key, balance numeric default 0, is_on boolean default false);
      create table payments (account_id int, amount numeric);
      insert into accounts values (1, 0), (2, 0);
      select set_statement('settle', jsonb_build_object('sql', format(
        'update %1$I.accounts set balance = paid, is_on = paid > 0
         from (select coalesce(sum(amount), 0) as paid from %1$I.payments where account_id = $1) as total
         where id = $1', '${schema}'), 'params', '["account"]'::jsonb));
      select set_trigger('payments', 'settle', '{
        "on": ["insert"], "statement": "settle", "params": {"account": "account_id"}, "key": ["account_id"]}')`)
    await workSql()

    for (const amount of [5, 7, 9]) await db.query('insert into payments values (1, $1)', [amount])
    await allDone()

    expect(await engine.rows('select id, balance::int, is_on from accounts order by id')).toEqual([
      { id: 1, balance: 21, is_on: true },
      { id: 2, balance: 0, is_on: false },
    ])
  })

  test('makes one task each of rows whose values only look alike together', async ({
    db,
    engine,
  }) => {
    await db.query(`create table places (city text, street text);
      select set_trigger('places', 'look', '{"on": ["insert"], "handler": "look", "key": ["city", "street"]}')`)
    const rows = [
      ['a, b', 'c'],
      ['a', 'b, c'],
      ['a"', 'b'],
      ['"a""', 'b'],
      [null, 'null'],
      ['null', null],
      ['', ''],
      [null, null],
    ]

    for (const row of rows) await db.query('insert into places values ($1, $2)', row)
    await db.query('insert into places values ($1, $2)', rows[0])

    expect(
      await engine.rows(
        `select payload #>> '{new,city}' as city, payload #>> '{new,street}' as street from tasks order by id`,
      ),
    ).toEqual(rows.map(([city, street]) => ({ city, street })))
  })

  test('makes one task of many changes while it waits, and another once it runs', async ({
    db,
    engine,
  }) => {
    await db.query(`create table orders (id int, state text);
      select set_trigger('orders', 'watch', '{"on": ["insert", "update", "delete"], "handler": "ship", "key": ["id"]}')`)

    await db.query(`insert into orders values (1, 'new'), (2, 'new')`)
    await db.query(`update orders set state = 'paid' where id = 1`)
    const [first] = await engine.claim('ship')
    await db.query('delete from orders where id = 1')

    expect(first?.payload).toMatchObject({
      trigger: 'watch',
      op: 'UPDATE',
      old: { id: 1, state: 'new' },
      new: { id: 1, state: 'paid' },
    })
    expect(
      await engine.rows(
        `select payload->>'op' as op, key from tasks where claim is null order by key`,
      ),
    ).toEqual([
      { op: 'DELETE', key: 'watch: 1' },
      { op: 'INSERT', key: 'watch: 2' },
    ])
  })

  test('is part of the transaction that changes the row', async ({ db, engine, connect }) => {
    await db.query(`create table doubtful (id int);
      select set_trigger('doubtful', 'doubt', '{"kind": "document", "queue": "doubts"}')`)
    const client = await connect()

    await client.query('begin; insert into doubtful values (1); rollback')
    await client.query('insert into doubtful values (2)')

    expect(await engine.rows(`select kind, payload->'new' as new from tasks`)).toEqual([
      { kind: 'document', new: { id: 2 } },
    ])
  })

  test('calls no function of the owner of the table, whose types may say how they become JSON', async ({
    db,
    engine,
    schema,
  }) => {
    const mallory = `${schema}_mallory`
    await db.query(`create role ${mallory}; create schema ${mallory} authorization ${mallory}`)
    await db.query(`set role ${mallory}; set search_path to ${mallory};
      create type mood as enum ('glad', 'sad');
      create domain state_of_mind as mood;
      create type pair as (mood mood, n int);
      create function spy(mood) returns json language plpgsql as
        'begin raise exception ''called as %'', current_user; end';
      create cast (mood as json) with function spy(mood);
      create table people (id int, mood mood, mind state_of_mind, moods mood[], pair pair, gone mood, at date);
      reset role; reset search_path;
      select set_trigger('${mallory}.people', 'spied', '{"kind": "document"}')`)

    await db.query(`insert into ${mallory}.people
      values (1, 'glad', 'sad', '{glad,NULL}', '(sad,2)', null, '2026-02-01')`)

    expect(await engine.value(`select payload -> 'new' from tasks`)).toEqual({
      ...{ id: 1, mood: 'glad', mind: 'sad', moods: ['glad', null], pair: '(sad,2)' },
      ...{ gone: null, at: '2026-02-01' },
    })
    await db.query(`drop schema ${mallory} cascade; drop role ${mallory}`)
  })

  test('works for roles that may change the table, in the name of the role that made it', async ({
    db,
    engine,
    connect,
    schema,
  }) => {
    await db.query(`create table open_to_all (id int);
      create role ${schema}_guest;
      grant usage on schema ${schema} to ${schema}_guest;
      grant insert on open_to_all to ${schema}_guest;
      select set_statement('look', '{"sql": "select $1::int", "params": ["id"]}');
      select set_trigger('open_to_all', 'look', '{"statement": "look"}')`)
    const guest = await connect()
    await guest.query(`set role ${schema}_guest`)

    await guest.query('insert into open_to_all values (7)')

    expect(await engine.rows('select submitted_by, payload from tasks')).toEqual([
      { submitted_by: 'postgres', payload: { statement: 'look', params: { id: 7 } } },
    ])
    await expect(guest.query(`select sql('select 1')`)).rejects.toMatchObject({ code: '42501' })
    await db.query(`drop owned by ${schema}_guest; drop role ${schema}_guest`)
  })

  test('is made once by two who make it at the same time', async ({ db, engine, connect }) => {
    await db.query('create table notes (id int)')
    const make = `select set_trigger('notes', 'note', '{"on": ["insert"], "handler": "note"}')`
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    await first.rows('begin')
    await first.rows(make)
    const made = second.rows(make)
    await waitsForLock(engine, second)
    await first.rows('commit')
    await made
    await db.query('insert into notes values (1)')

    expect(await engine.rows('select handler from task')).toEqual([{ handler: 'note' }])
  })

  test('is not confused with one whose name begins alike', async ({ db, engine }) => {
    await db.query('create table letters (id int)')
    const make = `select set_trigger('letters', $1, '{"on": ["insert"], "handler": "note"}')`

    await engine.rows(make, `${'n'.repeat(57)}a`)
    await engine.rows(make, `${'n'.repeat(57)}b`)
    await db.query('insert into letters values (1)')

    expect(await engine.rows('select handler from task')).toHaveLength(2)
    for (const name of ['', 'n'.repeat(59), 'ü'.repeat(30)])
      await expect(engine.rows(make, name)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('1 to 58 bytes'),
      })
  })

  test('is refused if it could not work, and ends on request', async ({ db, engine, connect }) => {
    await db.query('create table strict (id int)')
    const tries: readonly (readonly [object, string])[] = [
      [{ on: ['truncate'] }, 'unknown operation'],
      [{ on: 'insert' }, 'must be a list'],
      [{ key: ['nope'], handler: 'h' }, `has no column 'nope'`],
      [{ statement: 'nope' }, `no statement named 'nope'`],
      [{ sql: 'select 1' }, `unknown setting 'sql'`],
      [{ handler: 'h', key: ['id'], on_duplicate: 'forget' }, 'on_duplicate'],
    ]
    for (const [settings, why] of tries) {
      await expect(
        engine.rows(`select set_trigger('strict', 't', $1)`, settings),
      ).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(why),
      })
    }
    const operator = await connect()
    await operator.query(`set role ${testRoles}_operator`)
    await expect(
      operator.query(`select set_trigger('strict', 't', '{"handler": "h"}')`),
    ).rejects.toMatchObject({
      code: 'TK004',
      message: expect.stringContaining('may not create triggers on'),
    })

    await db.query(`select set_trigger('strict', 't', '{"handler": "h"}')`)
    await db.query(`select set_trigger('strict', 't', null)`)
    await db.query('insert into strict values (1)')

    expect(await engine.rows('select from tasks')).toEqual([])
  })
})
