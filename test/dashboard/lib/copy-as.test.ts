import { describe, expect } from 'vitest'
import { asCommand, asCurl, asSql } from '../../../src/dashboard/lib/copy-as.ts'
import type { Task } from '../../../src/dashboard/model.ts'
import { test } from '../../support/engine.ts'

const nasty = `it's "odd" \\ $1 $$ \n; drop table tasks; --`

function task(given: Partial<Task>): Task {
  const plain = {
    queue: 'mail',
    kind: 'handler',
    handler: null,
    key: null,
    groups: null,
    tags: null,
  }
  return { ...plain, priority: 0, payload: {}, ...given } as Task
}

describe('a task copied', () => {
  test('as SQL makes the same task when it is pasted', async ({ db, engine, schema }) => {
    const original = task({
      queue: nasty,
      handler: 'send',
      key: nasty,
      groups: [nasty],
      tags: [nasty, 'b'],
      priority: 3,
      payload: { text: nasty, n: 1 },
    })

    await db.query(asSql(original, schema))

    const made = await engine.value(
      "select jsonb_build_object('queue', queue, 'handler', handler, 'key', key, 'groups', groups, 'tags', tags, 'priority', priority, 'payload', payload) from task",
    )
    const { queue, handler, key, groups, tags, priority, payload } = original
    expect(made).toEqual({ queue, handler, key, groups, tags, priority, payload })
  })

  test('as SQL stays SQL where it was', async ({ db, engine, schema }) => {
    await db.query(
      asSql(task({ queue: 'sql', kind: 'sql', payload: { sql: `select '${nasty}'` } }), schema),
    )

    expect(await engine.value("select payload ->> 'sql' from task")).toBe(`select '${nasty}'`)
  })

  test('as a command quotes whatever a shell would read', () => {
    expect(asCommand(task({ payload: { to: "o'hara" }, tags: ['a b'] }))).toBe(
      `tusk task add 'mail' --payload '{"to":"o'\\''hara"}' --tag 'a b'`,
    )
  })

  test('as curl names the token instead of showing one', () => {
    const text = asCurl(task({ payload: { n: 1 } }), 'http://localhost/api/v1/tasks')

    expect(text).toContain('Bearer $TUSK_TOKEN')
    expect(text).toContain(`-d '{"queue":"mail","payload":{"n":1}}'`)
  })
})
