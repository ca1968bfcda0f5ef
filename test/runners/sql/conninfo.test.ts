import { describe, expect, test } from 'vitest'
import { parseConninfo } from '../../../src/runners/sql/connections/conninfo.ts'
import { ConninfoFault } from '../../../src/runners/sql/connections/conninfo-fault.ts'
import { type Home, placesOf } from '../../../src/runners/sql/connections/places.ts'

const home: Home = { host: 'home', port: '6000', user: 'me', dbname: 'mine', password: 'my secret' }

/** What libpq 15 to 18 makes of each of these. */
const readings: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  ['host=a', { host: 'a' }],
  ['  host = a   port= 1 ', { host: 'a', port: '1' }],
  ["password='it\\'s \\\\ secret' user=x", { password: "it's \\ secret", user: 'x' }],
  ["dbname=''", { dbname: '' }],
  ['user=a\\ b', { user: 'a b' }],
  ['host=a,b port=1,2', { host: 'a,b', port: '1,2' }],
  ['postgresql://', {}],
  ['postgres://h', { host: 'h' }],
  ['postgresql://h:5/d', { host: 'h', port: '5', dbname: 'd' }],
  ['postgresql://u@/d', { user: 'u', dbname: 'd' }],
  ['postgresql://u:p%40ss@h/d%20b', { user: 'u', password: 'p@ss', host: 'h', dbname: 'd b' }],
  ['postgresql://a:1,b:2/d', { host: 'a,b', port: '1,2', dbname: 'd' }],
  ['postgresql://[::1]:7/d', { host: '::1', port: '7', dbname: 'd' }],
  ['postgresql:///d?host=/tmp&port=9', { dbname: 'd', host: '/tmp', port: '9' }],
  ['postgresql://h?ssl=true', { host: 'h', sslmode: 'require' }],
  ['postgresql://h/d?options=-c%20x%3Dy', { host: 'h', dbname: 'd', options: '-c x=y' }],
]

const complaints: readonly (readonly [string, string])[] = [
  ['host', 'missing "=" after "host" in connection info string'],
  ['host a=b', 'missing "=" after "host" in connection info string'],
  ["host='a", 'unterminated quoted string in connection info string'],
  ['hots=a', 'invalid connection option "hots"'],
  ['service=x', 'connection option "service" is not allowed in a task'],
  ['sslkey=/etc/key', 'connection option "sslkey" is not allowed in a task'],
  ['postgresql://h?x', 'missing key/value separator "=" in URI query parameter: "x"'],
  ['postgresql://h?x=y=z', 'extra key/value separator "=" in URI query parameter: "x"'],
  ['postgresql://h?xx=y', 'invalid URI query parameter: "xx"'],
  ['postgresql://h/%zz', 'invalid percent-encoded token: "%zz"'],
  ['postgresql://h/a%00', 'forbidden value %00 in percent-encoded value: "a%00"'],
  [
    'postgresql://[::1/d',
    'end of string reached when looking for matching "]" in IPv6 host address in URI: "postgresql://[::1/d"',
  ],
  ['postgresql://[]/d', 'IPv6 host address may not be empty in URI: "postgresql://[]/d"'],
  ['host=a port=x', 'invalid integer value "x" for connection option "port"'],
  ['host=a port=70000', 'invalid port number: "70000"'],
  ['host=a,b port=1,2,3', 'could not match 3 port numbers to 2 hosts'],
  ['host=a,b hostaddr=1.1.1.1', 'could not match 2 host names to 1 hostaddr values'],
  ['host=a sslmode=maybe', 'invalid sslmode value: "maybe"'],
  ['host=a target_session_attrs=some', 'invalid target_session_attrs value: "some"'],
  [
    'host=a connect_timeout=soon',
    'invalid integer value "soon" for connection option "connect_timeout"',
  ],
]

/** Passwords that were written down wrongly; libpq repeats part of them. */
const torn: readonly (readonly [string, string])[] = [
  ['postgresql://u:secret%@h/db', 'invalid percent-encoded token: "***"'],
  ['postgresql://h?password=secret%', 'invalid percent-encoded token: "***"'],
  [
    'postgresql://u:secret/1@h/db',
    'invalid integer value "***" for connection option "port" in URI: "postgresql://u:***@h/db"',
  ],
  ['postgresql://u:1?secret@h/db', 'missing key/value separator "=" in URI query parameter: "***"'],
  ['postgresql://u:1?secret=1@h/db', 'invalid URI query parameter: "***"'],
  ['host=h password=my secret', 'missing "=" after "***" in connection info string'],
  ['host=h password=my secret=1', 'invalid connection option "***"'],
]

describe('a connection string', () => {
  test.each(readings)('%j is read as libpq reads it', (text, options) => {
    expect(Object.fromEntries(parseConninfo(text))).toEqual(options)
  })

  test.each(complaints)('%j is refused in the words of libpq', (text, complaint) => {
    expect(() => placesOf(parseConninfo(text), home)).toThrow(complaint)
  })

  test.each(torn)('%j is refused without a word of its password', (text, complaint) => {
    expect(() => placesOf(parseConninfo(text), home)).toThrow(new ConninfoFault(complaint))
  })

  test('names its hosts in order, with a port each or one for all', () => {
    const ports = (text: string) =>
      placesOf(parseConninfo(text), home).map(({ config }) => `${config.host}:${config.port}`)

    expect(ports('host=a,b port=1,2')).toEqual(['a:1', 'b:2'])
    expect(ports('host=a,b port=1')).toEqual(['a:1', 'b:1'])
    expect(ports('host=a')).toEqual(['a:5432'])
  })

  test('has a server that fell silent asked within the minute', () => {
    const [place] = placesOf(parseConninfo('host=far'), home)

    expect(place?.config).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 30_000 })
  })

  test('leads home where it leaves things open, and takes the password only there', async () => {
    const [whole] = placesOf(parseConninfo(''), home)
    const [elsewhere] = placesOf(parseConninfo('host=evil'), home)
    const [other] = placesOf(parseConninfo('user=other'), home)
    const passwordOf = async (place: typeof whole) => {
      const ask = place?.config.password
      return typeof ask === 'function' ? ask() : ask
    }

    expect(whole?.config).toMatchObject({ host: 'home', port: 6000, user: 'me', database: 'mine' })
    expect(await passwordOf(whole)).toBe('my secret')
    await expect(passwordOf(elsewhere)).rejects.toThrow('no password supplied')
    await expect(passwordOf(other)).rejects.toThrow('no password supplied')
  })
})
