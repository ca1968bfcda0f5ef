/** Fields of log lines that may hold a secret, at the top and one or two levels down: errors carry much along. */
const secrets = ['password', 'connectionString', 'authorization', 'cookie', 'token', 'secret']

/** For pino: what these fields hold is not written. */
export const redactedFields = {
  paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]),
  censor: '***',
}
