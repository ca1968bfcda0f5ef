import { TuskError } from '../lib/errors.ts'

/** How Node names certificate errors. SQLSTATEs have no underscore. */
const certificateCode =
  /_CERT|CERT_|ISSUER_|_LEAF_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|^ERR_TLS_/
const withoutTls = /server does not support SSL/i

/** Explains a TLS failure and what to do about it. Undefined for any other error. */
export function describeTlsError(error: unknown, place = 'Postgres'): TuskError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  if (withoutTls.test(error.message)) {
    return refusal(`cannot reach ${place}: it has no TLS`, {
      hint: 'Turn ssl on in the server; sslmode=disable in the connection string does without.',
      cause: error,
    })
  }
  if (typeof code !== 'string' || !certificateCode.test(code)) return undefined
  return refusal(`cannot reach ${place}: its certificate is not trusted (${error.message})`, {
    hint: 'Name its CA in the connection string: sslmode=verify-full&sslrootcert=/path/to/ca.crt. With sslmode=no-verify every server is trusted.',
    cause: error,
  })
}

function refusal(message: string, options: { hint: string; cause: unknown }): TuskError {
  return new TuskError('database_unreachable', message, options)
}
