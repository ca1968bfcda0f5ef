import { type Command, InvalidArgumentError, Option } from 'commander'
import { choice } from '../choice.ts'

/** Options of every command that serves HTTP. */
export function withServer<C extends Command>(command: C): C {
  return command
    .option('--http-host <address>', 'address to listen on (default: 127.0.0.1)')
    .addOption(
      new Option(
        '--http-port <port>',
        'port to listen on, 0 for a free one (default: 8787)',
      ).argParser(parseHttpPort),
    )
    .option('--http-base-path <path>', 'path under which it lies, such as /tusk')
    .option('--http-sql', 'take SQL tasks over HTTP')
    .option('--no-http-sql', 'take none, not even on the embedded Postgres')
    .option('--http-trust-proxy', 'believe X-Forwarded-For and the like')
    .option('--http-open-metrics', 'give /metrics to those without a token') as C
}

/** Options of every command that says of itself what happens. */
export function withLog<C extends Command>(command: C): C {
  return command
    .option('--direct-url <url>', 'the same database past a pooler (default: DIRECT_DATABASE_URL)')
    .addOption(
      choice('--log-level <level>', 'the least that is said (default: warn)', [
        'silent',
        'error',
        'warn',
        'info',
        'debug',
      ]),
    ) as C
}

function parseHttpPort(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}
