import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { count, plural } from '../../lib/format.ts'
import type { SqlNotice, SqlOutput, SqlResult } from '../../model.ts'

/** What each statement gave, in order. */
export function Results({ results }: { readonly results: readonly SqlResult[] }): JSX.Element {
  return (
    <ol class="results">
      {results.map((result, index) => (
        <li key={index}>
          <p class="results__tag">
            <code>{result.tag ?? 'not ended'}</code>
            {result.implied === true && <span class="muted">sent by the runner</span>}
            {result.dropped > 0 && (
              <Badge state={`${plural(result.dropped, 'row')} not kept`} tone="blocked" />
            )}
          </p>
          {result.columns !== null && <ResultTable result={result} />}
          {result.copy !== undefined && <pre class="code">{result.copy}</pre>}
          {result.copy_dropped !== undefined && result.copy_dropped > 0 && (
            <Badge state={`${count(result.copy_dropped)} bytes not kept`} tone="blocked" />
          )}
        </li>
      ))}
    </ol>
  )
}

function ResultTable({ result }: { readonly result: SqlResult }): JSX.Element {
  const columns = result.columns ?? []
  if (result.rows.length === 0) return <EmptyState title="No rows" />
  return (
    <section
      class="table-wrap results__table"
      aria-label={result.tag ?? 'Result'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table class="table">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" class={isNumber(column.type) ? 'right' : ''}>
                {column.name} <span class="results__type">{column.type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, at) => (
                <td key={at} class={isNumber(columns[at]?.type ?? '') ? 'right mono' : 'mono'}>
                  {value ?? <span class="results__null">null</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What the server said on the side. */
export function Notices({
  notices,
}: {
  readonly notices: readonly SqlNotice[]
}): JSX.Element | null {
  if (notices.length === 0) return null
  return (
    <ul class="notices" aria-label="Notices">
      {notices.map((notice, index) => (
        <li key={index}>
          <span class="muted">{notice.severity}</span> {notice.message}
          {notice.detail !== undefined && <p class="muted">{notice.detail}</p>}
          {notice.hint !== undefined && <p class="muted">{notice.hint}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Results and notices that were too much to keep as a whole. */
export function NotKept({
  output: { results_dropped: results = 0, notices_dropped: notices = 0 },
}: {
  readonly output: Pick<SqlOutput, 'results_dropped' | 'notices_dropped'>
}): JSX.Element | null {
  const parts = [
    ...(results > 0 ? [plural(results, 'result')] : []),
    ...(notices > 0 ? [plural(notices, 'notice')] : []),
  ]
  if (parts.length === 0) return null
  return (
    <p>
      <Badge state={`${parts.join(' and ')} not kept`} tone="blocked" />
    </p>
  )
}

function isNumber(type: string): boolean {
  return /^(smallint|integer|bigint|numeric|real|double precision|oid|money)/.test(type)
}
