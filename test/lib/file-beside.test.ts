import { expect, test } from 'vitest'
import { resolveFrom } from '../../src/lib/file-beside.ts'

test.each([undefined, import.meta.url, 'file:///where/the/bundle/was/made.js'])(
  'finds a package of the working directory from %s',
  (own) => {
    expect(resolveFrom(own, 'pg/package.json')).toMatch(/node_modules.pg.package\.json$/)
    expect(() => resolveFrom(own, 'no-such-package/package.json')).toThrow('no-such-package')
  },
)
