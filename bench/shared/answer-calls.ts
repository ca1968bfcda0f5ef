import { readFile } from 'node:fs/promises'
import type { Answer, Call } from './protocol.ts'

/** Answers the calls of the main process with the methods of `agent`, until the main process is gone. */
export function answerCalls(agent: object): void {
  process.on('message', (call: Call) => void answer(agent as Methods, call))
  // The main process is gone, so this process must end too.
  process.on('disconnect', () => process.exit(1))
  // Ctrl-C reaches the whole group; the main process closes its agents itself.
  process.on('SIGINT', () => {})
}

type Methods = Record<string, (...given: readonly unknown[]) => Promise<unknown>>

async function answer(agent: Methods, { id, verb, args }: Call): Promise<void> {
  const send = (said: Answer) => process.send?.(said)
  try {
    send({ id, value: await agent[verb]?.(...args) })
  } catch (error) {
    send({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

export interface Usage {
  readonly cpuMicros: number
  readonly peakRssBytes: number
}

/** What this process has used since it began. */
export async function usageNow(): Promise<Usage> {
  const { user, system } = process.cpuUsage()
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
  return { cpuMicros: user + system, peakRssBytes: peakKb * 1_024 }
}
