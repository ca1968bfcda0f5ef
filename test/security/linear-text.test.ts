import { runInNewContext } from 'node:vm'
import { describe, expect } from 'vitest'
import { parseFilterQuery } from '../../src/lib/filter-query.ts'
import { nearestWord } from '../../src/lib/nearest-word.ts'
import { redact } from '../../src/lib/redact.ts'
import { test } from '../support/engine.ts'

/** What took the square of its length before took hours for this. */
const megabyte = 1_000_000

function filled(part: string): string {
  return part.repeat(megabyte / part.length)
}

/** Ends what takes far too long. The limit of a test could not: no timer fires while the thread is busy. */
function stopped<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: 120_000 }) as T
}

describe('a megabyte of text', () => {
  test.for([
    ...['postgres://:', 'postgres+', "password='", 'password= ', '?password=', "pwd='\\"],
    ...['password: ', 'password "', `"password":'`, 'bearer ', 'Bearer a ', 'authorization: a '],
    ...['authorization:a', 'cookie: ', 'tusk_abcdefgh_', 'getaddrinfo a ', 'getaddrinfo a a'],
  ])('is redacted in one walk: %s', (part) => {
    expect(stopped(() => redact(filled(part))).length).toBeGreaterThan(0)
  })

  test('is not compared with other words', () => {
    const word = filled('queue')

    expect(stopped(() => nearestWord(word, ['queue']))).toBeUndefined()
    expect(stopped(() => nearestWord('queue', [word]))).toBeUndefined()
    expect(stopped(() => nearestWord(word, [word]))).toBeUndefined()
  })

  test('is read as a query in one walk', () => {
    const ids = filled('id:1 ')

    expect(stopped(() => parseFilterQuery(ids)).ids?.length).toBe(megabyte / 5)
    expect(stopped(() => parseFilterQuery(filled('\\"'))).text?.length).toBeGreaterThan(0)
  })
})

describe('redaction', () => {
  test.for([
    ['postgres://u:p@ss@h/db', 'postgres://u:***@h/db'],
    ['{"password":"a b","x":1}', '{"password":***,"x":1}'],
    [`{ password: 'it\\'s', user: 'u' }`, "{ password: ***, user: 'u' }"],
    [`alter role u password 'a b' login`, 'alter role u password *** login'],
    ['db_secret="a b" c', 'db_secret=*** c'],
    ['Authorization: Basic dTpw rest', 'Authorization: *** rest'],
    ['sent Bearer abc.def-ghi_jkl= here', 'sent Bearer *** here'],
    [`token tusk_abcdefgh_${'x'.repeat(43)}.`, 'token tusk_abcdefgh_***.'],
    ['Cookie: tusk_session=abc; theme=dark', 'Cookie: ***; theme=dark'],
    ['getaddrinfo ENOTFOUND u:pw@h', 'getaddrinfo ENOTFOUND h'],
    ['password authentication failed for user "u"', 'password authentication failed for user "u"'],
    ['fe_sendauth: no password supplied', 'fe_sendauth: no password supplied'],
    ['postgresql://u@h:5432/db', 'postgresql://u@h:5432/db'],
    ['postgres://u@h,postgres://v:pw@k', 'postgres://u@h,postgres://v:***@k'],
    ['postgres://u:a@h b postgres://w:q@h', 'postgres://u:***@h b postgres://w:***@h'],
    ['postgresql+asyncpg://:secret@h', 'postgresql+asyncpg://:***@h'],
    ['postgres://u:a@h?password=b&x=1', 'postgres://u:***@h?password=***&x=1'],
  ] as const)('of %s shows %s', ([given, shown]) => {
    expect(redact(given)).toBe(shown)
  })
})

describe('suggest_word()', () => {
  test('finds the word that was meant', async ({ engine }) => {
    expect(await engine.value(`select suggest_word('nihgtly', array['x', 'nightly'])`)).toBe(
      'nightly',
    )
  })

  test('compares no more words after 100,000 pairs of letters', async ({ engine }) => {
    const word = 'n'.repeat(50)
    const words = [...Array.from({ length: 1_000 }, (_, i) => `${i}`.padStart(50, 'z')), word]

    expect(await engine.value('select suggest_word($1, $2)', word, words.slice(-10))).toBe(word)
    expect(await engine.value('select suggest_word($1, $2)', word, words)).toBeNull()
  })

  test('compares no words of quite another length', async ({ engine }) => {
    const words = [...Array.from({ length: 10_000 }, () => 'z'.repeat(100)), 'nightly']

    expect(await engine.value(`select suggest_word('nihgtly', $1)`, words)).toBe('nightly')
  })
})
