import { describe, expect } from 'vitest'
import { test } from '../support/sql-tasks.ts'

describe('a SQL task', () => {
  test('gives the rows of each statement as text, with columns, types and tags', async ({
    workSql,
    runSql,
  }) => {
    await workSql()

    const { state, output } = await runSql(
      `select 1 as n, null as nothing, 'x'::varchar(5) as short; create temp table t (a int)`,
    )

    expect(state).toBe('done')
    expect(output).toMatchObject({
      delivery: 'exactly_once',
      notices: [],
      results: [
        {
          tag: 'SELECT 1',
          columns: [
            { name: 'n', type: 'integer', type_oid: 23, typmod: -1 },
            { name: 'nothing', type: 'text', type_oid: 25, typmod: -1 },
            { name: 'short', type: 'character varying(5)', type_oid: 1043, typmod: 9 },
          ],
          rows: [['1', null, 'x']],
          row_count: 1,
          dropped: 0,
        },
        { tag: 'CREATE TABLE', columns: null, rows: [], row_count: 0, dropped: 0 },
      ],
    })
  })
})
