import type pg from 'pg'
import { TuskError } from '../../src/lib/errors.ts'

/** The types that psql sets to the right. */
const numeric = new Set([20, 21, 23, 26, 700, 701, 1700])

/** Runs SQL text and prints the last answer, or the error, as psql would. */
export async function psql(client: pg.Client | pg.PoolClient, text: string): Promise<string> {
  try {
    const answer = await client.query({
      text,
      rowMode: 'array',
      types: { getTypeParser: () => asIs },
    })
    const results = Array.isArray(answer) ? answer : [answer]
    return table(results[results.length - 1] as pg.QueryArrayResult<string[]>)
  } catch (error) {
    return failure(error)
  }
}

function asIs(value: unknown): unknown {
  return value
}

function failure(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TuskError) throw error
  const { hint } = error as { hint?: string }
  return [`ERROR:  ${error.message}`, ...(hint === undefined ? [] : [`HINT:  ${hint}`])].join('\n')
}

function table({ fields, rows }: pg.QueryArrayResult<(string | null)[]>): string {
  const cells = rows.map((row) => row.map((cell) => cell ?? ''))
  const widths = fields.map(({ name }, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const head = fields.map(({ name }, column) => ` ${centred(name, widths[column] ?? 0)} `).join('|')
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+')
  const body = cells.map((row) =>
    row
      .map((cell, column) => aligned(cell, widths[column] ?? 0, fields, column))
      .join('|')
      .trimEnd(),
  )
  return [head, rule, ...body, `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`].join('\n')
}

function aligned(cell: string, width: number, fields: pg.FieldDef[], column: number): string {
  const right = numeric.has(fields[column]?.dataTypeID ?? 0)
  return ` ${right ? cell.padStart(width) : cell.padEnd(width)} `
}

function centred(name: string, width: number): string {
  const left = Math.floor((width - name.length) / 2)
  return ' '.repeat(left) + name + ' '.repeat(width - name.length - left)
}
