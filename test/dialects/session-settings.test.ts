import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { dialects } from '../../src/dialects/dialects.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { test } from '../support/engine.ts'
import { misread } from '../support/misread.ts'

test.for(dialects)(
  '$name is read as it was meant without standard_conforming_strings',
  async (dialect, { db, schema: engineSchema, connect }) => {
    const schema = `dialect_${randomBytes(6).toString('hex')}`
    await installDialect(db, { dialect, schema, engineSchema })
    try {
      expect(await misread(await connect(), schema)).toEqual([])
    } finally {
      await db.query(`drop schema ${schema} cascade`)
    }
  },
)
