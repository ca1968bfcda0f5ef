import { main } from '../../src/cli/main.ts'
import type { Said } from './cli.ts'
import { until } from './until.ts'

/** Where a server that was started is. */
export interface Place {
  readonly url: string
  readonly token: string
}

/** Runs a command that serves, lets `use` use it once it says where it is, and stops it. */
export async function listening(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  use: (place: Place) => Promise<void>,
): Promise<Said> {
  const said = { data: '', talk: '' }
  let stop: () => void = () => {}
  const stopRequested = new Promise<void>((resolve) => {
    stop = resolve
  })
  let isOver = false
  const running = main(args, {
    stdout: { write: (text) => (said.data += text) },
    stderr: { write: (text) => (said.talk += text) },
    env: { PATH: process.env['PATH'], TUSK_HTTP_PORT: '0', ...env },
    cwd: '/',
    stopRequested: () => stopRequested,
  }).finally(() => {
    isOver = true
  })
  await until(async () => isOver || said.talk.includes('Ctrl-C stops.'))
  try {
    if (!isOver) await use(placeIn(`${said.talk}\n${said.data}`))
  } finally {
    stop()
  }
  return { code: await running, ...said }
}

function placeIn(text: string): Place {
  return {
    url: /https?:\/\/[\d.]+:\d+/.exec(text)?.[0] ?? '',
    token: /#token=(tusk_[\w-]+)/.exec(text)?.[1] ?? '',
  }
}
