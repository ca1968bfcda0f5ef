import type { Command } from 'commander'
import type { TaskFilter } from '../../engine/looking.ts'
import type { TaskState } from '../../engine/task.ts'
import { filterQualifiers, parseFilterQuery } from '../../lib/filter-query.ts'

/** `--query`, for every command that finds tasks. */
export function withQuery(command: Command): Command {
  return command.option(
    '--query <query>',
    `which ones: text, and ${Object.keys(filterQualifiers)
      .map((name) => `${name}:`)
      .join(' ')}`,
  )
}

/** The filter that a query stands for. */
export function queryFilter(query: string): TaskFilter {
  const { states, submitted_by, created_before, created_after, ...others } = parseFilterQuery(query)
  const { run_before, run_after, finished_before, finished_after, ...rest } = others
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  return {
    // The parser has checked the words that only some values are good for.
    ...(rest as TaskFilter),
    state: states as readonly TaskState[] | undefined,
    submittedBy: submitted_by,
    createdBefore: time(created_before),
    createdAfter: time(created_after),
    runBefore: time(run_before),
    runAfter: time(run_after),
    finishedBefore: time(finished_before),
    finishedAfter: time(finished_after),
  }
}
