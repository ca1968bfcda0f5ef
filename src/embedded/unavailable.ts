import { TuskError } from '../lib/errors.ts'

const useYourOwn =
  'Set DATABASE_URL to a Postgres you already have, for example postgres://user@localhost:5432/mydb.'

/** The hint for a directory we may not use. */
export const useAnotherHome =
  'Set TUSK_HOME to a directory that may be used, or DATABASE_URL to a Postgres you already have.'

/** The one error of this folder: no Postgres could be had, why, and the way around it. */
export function unavailableError(message: string, cause?: unknown, hint = useYourOwn): TuskError {
  return new TuskError('postgres_unavailable', message, { hint, cause })
}

/** The system's own word for a failure (EACCES, ENOENT …), if it gave one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** What went wrong in one line, for a message that says more than this. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? text
}
