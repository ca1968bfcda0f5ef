import type { Command } from 'commander'
import { choice } from '../options/choice.ts'
import { httpPortOption } from '../options/port-option.ts'

/** Options of every command that serves HTTP. */
export function withServer<C extends Command>(command: C): C {
  return command
    .option('--http-host <address>', 'address to listen on (default: 127.0.0.1)')
    .addOption(httpPortOption())
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
