import { describe, expect } from 'vitest'
import { test } from '../../support/sql-tasks.ts'

const refusal = { code: 'invalid_argument', message: expect.stringContaining('no statement') }

describe('SQL without a statement', () => {
  test.for(['', ' \n\t', ';', ' ; ;', '-- nothing', '-- a\n;-- b\n', '/* a * b **/', '/**/;--'])(
    'is refused: %j',
    async (sql, { engine }) => {
      await expect(
        engine.enqueue({ queue: 'sql', kind: 'sql', payload: { sql } }),
      ).rejects.toMatchObject(refusal)
      await expect(engine.rows('select sql($1)', sql)).rejects.toThrow('no statement')
      await expect(
        engine.rows(`select set_statement('empty', jsonb_build_object('sql', $1::text))`, sql),
      ).rejects.toThrow('no statement')
      expect(await engine.rows('select from task')).toEqual([])
    },
  )

  test.for([
    'select 1',
    '-- why\nselect 1',
    '/* a */ select 1',
    '- 1',
    '/ 2',
    'x',
    '--a\n/* b */x;',
  ])('is not what %j is', async (sql, { engine }) => {
    await engine.enqueue({ queue: 'sql', kind: 'sql', payload: { sql } })
  })

  test('is refused in a schedule and after a change', async ({ engine }) => {
    const task = { queue: 'sql', kind: 'sql', payload: { sql: ' ' } }
    await expect(
      engine.rows(
        'select set_schedule($1, $2)',
        'empty',
        JSON.stringify({ every: '1 hour', task }),
      ),
    ).rejects.toThrow('no statement')
    const { id } = await engine.enqueue({ ...task, kind: 'sql', payload: { sql: 'select 1' } })
    await expect(
      engine.rows('select amend($1, $2)', id, JSON.stringify({ payload: { sql: ';' } })),
    ).rejects.toThrow('no statement')
  })

  test('takes a time that grows with the length of the text, not with its square', async ({
    engine,
  }) => {
    const comments = '/* * ** */--\n'.repeat(15_000)

    await expect(engine.rows('select sql($1)', comments)).rejects.toThrow('no statement')
    await expect(engine.rows('select sql($1)', `${comments} x`)).resolves.toHaveLength(1)
  })

  test('runs where the task allows it', async ({ workSql, runSql }) => {
    await workSql()

    expect(await runSql({ sql: ';', allow_empty: true })).toMatchObject({ state: 'done' })
    await expect(runSql({ sql: ';', allow_empty: 1 })).rejects.toThrow('allow_empty')
  })
})
