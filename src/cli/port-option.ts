import { InvalidArgumentError, Option } from 'commander'

/** `--port`, for every command that may start the embedded Postgres. */
export function portOption(): Option {
  return new Option(
    '--port <port>',
    'port of the embedded Postgres (default: a free one)',
  ).argParser(parsePort)
}

function parsePort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new InvalidArgumentError('A port is a number from 1 to 65535.')
}
