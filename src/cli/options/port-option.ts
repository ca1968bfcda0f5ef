import { InvalidArgumentError, Option } from 'commander'

/** `--postgres-port`, for every command that may start the embedded Postgres. */
export function postgresPortOption(): Option {
  return new Option(
    '--postgres-port <port>',
    'port of the embedded Postgres (default: a free one)',
  ).argParser((text) => parsePort(text, 1))
}

/** `--port`, for every command that serves HTTP. */
export function httpPortOption(): Option {
  return new Option(
    '--http-port, --port <port>',
    'port to listen on, 0 for a free one (default: 8787)',
  ).argParser((text) => parsePort(text, 0))
}

/** `--port` where no HTTP server is started: it says which option was meant. */
export function noHttpPortOption(): Option {
  return new Option('--port <port>').hideHelp().argParser(() => {
    throw new InvalidArgumentError(
      '--port is the port of the HTTP server, which this command does not start. Use --postgres-port.',
    )
  })
}

function parsePort(text: string, least: number): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= least && port < 65_536) return port
  throw new InvalidArgumentError(`A port is a number from ${least} to 65535.`)
}
