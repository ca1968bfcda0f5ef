/** Pages whose SQL is one psql session, with the answers of psql. */
export const sessionPages: readonly string[] = [
  'docs/start/sql.md',
  'docs/learn/documents.md',
  'docs/learn/schedules.md',
  'docs/learn/leadership.md',
  'docs/learn/retries.md',
  'docs/learn/limits.md',
  'docs/learn/keys.md',
  'docs/learn/retention.md',
  'docs/learn/access.md',
  'docs/learn/payloads.md',
  'docs/how-to/multi-tenancy.md',
  'docs/recipes/enqueueing.md',
  'docs/recipes/limiting.md',
  'docs/recipes/planning.md',
  'docs/recipes/watching.md',
]
