import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { urlFault } from '../../src/db/url-fault.ts'

beforeEach(() => vi.stubEnv('PGHOST', ''))
afterEach(() => vi.unstubAllEnvs())

const port = expect.stringContaining('its port is not a number from 1 to 65535')
const start = 'it does not begin with postgres://'

describe('a connection string', () => {
  test.for([
    'postgres://ada:hush@db.example:5432/mail',
    'postgresql://db',
    'POSTGRES://db/mail',
    'postgres://ada@[::1]:5432/mail',
    'postgres://[::1]/mail',
    'postgres://ada:p:w@db:5432/mail',
    'postgres://ada:h%23sh@db/mail?sslmode=require&application_name=shop',
    'postgres://db/mail?sslmode=no-verify',
    'postgres://ada@%2Frun%2Fpostgresql/mail',
    'postgres://ada@/mail?host=/run/postgresql',
    'postgres:///mail',
    'postgres:///mail?host=db&port=6432',
    'postgres://ada:hush@a,b:5433/mail?target_session_attrs=read-write',
    '/run/postgresql mail',
    'socket:/run/postgresql?db=mail',
  ])('may be %s', (text) => {
    expect(urlFault(text)).toBeUndefined()
  })

  test.for([
    ['nonsense', start],
    ['db.example:5432/mail', start],
    ['host=db dbname=mail password=hush', start],
    ['mysql://ada:hush@db/mail', start],
    ['postgres:db', start],
    ['postgres://', 'it names no host'],
    ['postgres://ada:hush@/mail', 'it names no host'],
    ['postgres://ada:hush@:5432/mail', 'it names no host'],
    ['postgres://db:port/mail', port],
    ['postgres://db:0/mail', port],
    ['postgres://db:65536/mail', port],
    ['postgres://[::1]:x/mail', port],
    ['postgres://db/mail?port=high', port],
    ['postgres://ada:hu/sh@db/mail', port],
    ['postgres://ada:hu#sh@db/mail', port],
    ['postgres://d b/mail', 'it cannot be read'],
    ['postgres://ada:hush@a,b:x/mail', port],
    ['postgres://ada:hush@a,,b/mail', 'one of its hosts has no name'],
    [
      'postgres://db/mail?sslmode=always',
      expect.stringContaining('its sslmode is none of disable'),
    ],
    ['postgres://db/mail?sslmode=', expect.stringContaining('its sslmode is none of disable')],
  ] as const)('cannot be %s, and nothing of it is repeated', ([text, fault]) => {
    expect(urlFault(text)).toEqual(fault)
    expect(urlFault(text)).not.toContain('hu')
  })

  test('needs no host where PGHOST names one', () => {
    vi.stubEnv('PGHOST', 'db.example')

    expect(urlFault('postgres://ada@/mail')).toBeUndefined()
  })
})
