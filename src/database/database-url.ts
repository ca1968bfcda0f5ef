import { requireUrl } from '../db/require-url.ts'

/** What the environment names; an empty variable is as good as none. */
export function databaseUrl(): string | undefined {
  const url = process.env['DATABASE_URL'] || undefined
  requireUrl(url, 'the environment variable DATABASE_URL')
  return url
}
