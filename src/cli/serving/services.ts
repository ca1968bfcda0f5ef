import { type Io, sayError } from '../process/io.ts'

/** Something that runs until it is stopped. */
export interface Service {
  /** In its own time; what is under way may finish. */
  stop(): Promise<void>
  /** The person does not want to wait any longer. */
  hurry?(): void
}

/** What a command has running. What was started last is stopped first. */
export class Services {
  readonly #io: Io
  readonly #running: Service[] = []

  constructor(io: Io) {
    this.#io = io
  }

  add(service: Service): void {
    this.#running.unshift(service)
  }

  /** One that fails to stop is complained about, and keeps no other from stopping. */
  async stopAll(): Promise<void> {
    void this.#io.hurryRequested?.().then(() => {
      for (const service of this.#running) service.hurry?.()
    })
    for (const service of this.#running) {
      await service.stop().catch((error: unknown) => sayError(this.#io, error))
    }
  }
}

/** A pending promise alone does not keep Node alive. */
export async function keepAliveUntil(stopRequested: Promise<unknown>): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  await stopRequested
  clearInterval(alive)
}
