import { requireUrl } from '../db/require-url.ts'

/** The value of DATABASE_URL. An empty variable counts as not set. */
export function databaseUrl(): string | undefined {
  const url = process.env['DATABASE_URL'] || undefined
  requireUrl(url, 'the environment variable DATABASE_URL')
  return url
}
