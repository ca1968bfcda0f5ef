import { randomBytes } from 'node:crypto'
import { describe, expect, inject } from 'vitest'
import { test as base } from '../../support/sql-tasks.ts'

interface Roles {
  readonly reader: string
  readonly writer: string
  /** A login that is a member of both. */
  readonly both: string
  urlOf(role: string): string
}

const test = base.extend<{ roles: Roles }>({
  roles: async ({ db }, use) => {
    const tail = randomBytes(4).toString('hex')
    const [reader, writer, both] = [`reader_${tail}`, `writer_${tail}`, `both_${tail}`]
    const all = [reader, writer, both]
    for (const role of all) await db.query(`create role ${role} login password '${role}'`)
    await db.query(`grant ${reader}, ${writer} to ${both}`)
    await use({
      reader,
      writer,
      both,
      urlOf: (role) => {
        const url = new URL(inject('pgUrl'))
        url.username = role
        url.password = role
        return url.href
      },
    })
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = any ($1)`,
      [all],
    )
    await db.query(`drop owned by ${all}; drop role ${all}`)
  },
})

describe('SQL tasks of a role with a login of its own', () => {
  test('cannot become another role, which a shared login lets them', async ({
    roles: { reader, writer, both, urlOf },
    work,
    runSql,
  }) => {
    const attack = { sql: `reset role; set role ${writer}; select current_user`, role: reader }
    const shared = await work({ sql: { database: urlOf(both) } })
    const escaped = await runSql(attack)
    await shared.stop()
    const logins = { [reader]: urlOf(reader), [writer]: urlOf(writer) }
    await work({ sql: { database: urlOf(both), logins } })

    const held = await runSql(attack)
    const others = await Promise.all(
      [`set session authorization ${writer}`, `set local role ${both}`, 'set role postgres'].map(
        (sql) => runSql({ sql, role: reader }),
      ),
    )
    const own = await runSql({ sql: 'select session_user, current_user', role: writer })

    expect(escaped.output.results[2]?.rows).toEqual([[writer]])
    expect(held.error).toMatchObject({ code: '42501' })
    expect(others.map(({ error }) => error.code)).toEqual(['42501', '42501', '42501'])
    expect(own.output).toMatchObject({
      delivery: 'at_least_once',
      results: [{ rows: [[writer, writer]] }],
    })
  })

  test('run as the role although the login has another name', async ({
    db,
    roles: { reader, writer, both, urlOf },
    work,
    runSql,
  }) => {
    await db.query(`revoke ${writer} from ${both}`)
    await work({ sql: { logins: { [reader]: urlOf(both) } } })

    const { output } = await runSql({ sql: 'select session_user, current_user', role: reader })

    expect(output.results[0]?.rows).toEqual([[both, reader]])
  })

  test('do not run when the login could become another role', async ({
    roles: { reader, writer, both, urlOf },
    work,
    runSql,
  }) => {
    await work({ sql: { logins: { [reader]: urlOf(both) } } })

    const { error } = await runSql({ sql: 'select 1', role: reader })

    expect(error).toMatchObject({
      code: 'connection_not_allowed',
      message: `the login "${both}" is to run SQL as "${reader}" alone, but may also become "${writer}"`,
      hint: expect.stringContaining('a member of that role and of no other'),
    })
  })

  test.for(['superuser', 'createrole', 'bypassrls'])(
    'do not run when the login has %s, and the role has not',
    async (attribute, { db, roles: { reader, writer, both, urlOf }, work, runSql }) => {
      await db.query(`revoke ${writer} from ${both}; alter role ${both} ${attribute}`)
      await work({ sql: { logins: { [reader]: urlOf(both) } } })

      const { error } = await runSql({ sql: 'select 1', role: reader })

      expect(error).toMatchObject({
        code: 'connection_not_allowed',
        message: expect.stringContaining(`but has ${attribute.toUpperCase()}`),
      })
    },
  )

  test('use no login of another role that the role may not become', async ({
    db,
    roles: { reader, writer, urlOf },
    work,
    runSql,
  }) => {
    // What the role itself may become is not more than the role.
    await db.query(`grant pg_monitor to ${writer}`)
    await work({ sql: { logins: { [reader]: urlOf(writer), [writer]: urlOf(writer) } } })

    const swapped = await runSql({ sql: 'select 1', role: reader })
    const own = await runSql({ sql: 'set role pg_monitor; select current_user', role: writer })

    expect(swapped.error).toMatchObject({ code: 'connection_not_allowed' })
    expect(own.output.results[1]?.rows).toEqual([['pg_monitor']])
  })
})

describe('sessions of a shared login', () => {
  test('are not passed from one role to another', async ({
    roles: { reader, writer, both, urlOf },
    work,
    runSql,
  }) => {
    await work({ sql: { database: urlOf(both) }, concurrency: 2 })
    const looks = 'select 1'

    const first = await runSql({ sql: looks, role: reader })
    const other = await runSql({ sql: looks, role: writer })
    const again = await runSql({ sql: looks, role: reader })

    expect(other.output.pid).not.toBe(first.output.pid)
    expect(again.output.pid).toBe(first.output.pid)
  })
})
