import { randomBytes } from 'node:crypto'
import { describe, expect, inject } from 'vitest'
import { test, tusk } from '../support/cli.ts'
import { testRoles } from '../support/engine.ts'
import { listening } from '../support/listening.ts'

describe('a login', () => {
  test('without a role of Tusk gets an error that says so, and what its owner can do', async ({
    db,
    schema,
  }) => {
    const { login, env } = await newLogin(db, schema)

    const answers = [
      await tusk(['serve', '--http-port', '0'], env),
      await tusk(['task', 'list'], env),
    ]
    await db.query(`drop role ${login}`)

    for (const { code, talk } of answers) {
      expect(code).toBe(1)
      expect(talk).toMatch(
        /^tusk: the login may not do this \(permission denied .*\)\n.*grant tusk_operator to/,
      )
    }
  })

  test('that may not create a schema gets an error that says so', async ({ db, schema }) => {
    const { login, env } = await newLogin(db, `${schema}_more`)

    const { code, data, talk } = await tusk(['migrate', 'up'], env)
    await db.query(`drop role ${login}`)

    expect({ code, data }).toEqual({ code: 1, data: '' })
    expect(talk).toMatch(
      /^tusk: the login may not do this \(permission denied for database .*\)\n.*grant create on database/,
    )
  })

  test('with the role of operators serves HTTP', async ({ db, schema }) => {
    const { login, env } = await newLogin(db, schema)
    await db.query(`grant ${testRoles}_operator to ${login}`)
    const answers: number[] = []

    const { code, talk } = await listening(['serve'], env, async ({ url }) => {
      for (const path of ['/readyz', '/api/v1/info'])
        answers.push((await fetch(`${url}${path}`)).status)
    })
    await db.query(`drop role ${login}`)

    expect({ code, answers }).toEqual({ code: 0, answers: [200, 401] })
    expect(talk).toContain('There is no token yet.')
  })
})

async function newLogin(db: { query: (text: string) => Promise<unknown> }, schema: string) {
  const login = `login_${randomBytes(6).toString('hex')}`
  await db.query(`create role ${login} login password 'secret'`)
  const url = new URL(inject('pgUrl'))
  url.username = login
  url.password = 'secret'
  return { login, env: { DATABASE_URL: url.href, TUSK_SCHEMA: schema } }
}
