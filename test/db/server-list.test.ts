import { describe, expect, test } from 'vitest'
import { serverList } from '../../src/db/server-list.js'

describe('a connection string with several hosts', () => {
  test.for([
    [
      'postgres://ada:p,w@a,b:5433/mail?sslmode=require',
      [
        'postgres://ada:p,w@a:5432/mail?sslmode=require',
        'postgres://ada:p,w@b:5433/mail?sslmode=require',
      ],
    ],
    ['postgres://[::1]:1,b:2/mail', ['postgres://[::1]:1/mail', 'postgres://b:2/mail']],
    [
      'postgres://a,b,c/mail?port=6432',
      ['a', 'b', 'c'].map((host) => `postgres://${host}:6432/mail`),
    ],
    [
      'postgres:///mail?host=/tmp,/run&port=1,2',
      ['postgres:///mail?host=%2Ftmp&port=1', 'postgres:///mail?host=%2Frun&port=2'],
    ],
  ] as const)('names its servers in order: %s', ([url, urls]) => {
    expect(serverList(url)).toMatchObject({ urls, wants: 'read-write' })
  })

  test('wants what it says, and a server that takes writes unless it says otherwise', () => {
    expect(serverList('postgres://a,b/mail').wants).toBe('read-write')
    expect(serverList('postgres://a,b/mail?target_session_attrs=any').wants).toBe('any')
    expect(serverList('postgres://a,b/mail?target_session_attrs=standby').wants).toBe('standby')
    expect(serverList('postgres://a/mail').wants).toBe('any')
    expect(serverList('postgres://a/mail?target_session_attrs=primary').wants).toBe('primary')
  })

  test('says how long each of them may take', () => {
    expect(serverList('postgres://a,b/mail?connect_timeout=4').connectMs).toBe(4_000)
    expect(serverList('postgres://a,b/mail').connectMs).toBeUndefined()
  })

  test.for([
    ['postgres://a,b/mail?target_session_attrs=some', /target_session_attrs is none of any/],
    ['postgres://a,b/mail?port=1,2,3', /could not match 3 port numbers to 2 hosts/],
    ['postgres://a,/mail', /one of its hosts has no name/],
    ['postgres://a,b/mail?load_balance_hosts=fair', /load_balance_hosts is neither/],
    ['postgres://a,b/mail?connect_timeout=soon', /connect_timeout is not a number/],
  ] as const)('is refused: %s', ([url, fault]) => {
    expect(serverList(url).fault).toMatch(fault)
  })
})
