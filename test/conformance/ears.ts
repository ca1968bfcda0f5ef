import pg from 'pg'
import { until } from '../support/until.ts'

const channels = ['ready', 'finished', 'cancel'] as const
export type Channel = (typeof channels)[number]

/** Listens to what the engine says with NOTIFY. */
export class Ears {
  readonly #client: pg.Client
  readonly #pool: pg.Pool
  readonly #schema: string
  #said: { channel: string; payload: string }[] = []
  #marks = 0

  private constructor(client: pg.Client, pool: pg.Pool, schema: string) {
    this.#client = client
    this.#pool = pool
    this.#schema = schema
    client.on('notification', ({ channel, payload = '' }) => {
      this.#said.push({ channel, payload })
    })
  }

  static async open(pool: pg.Pool, schema: string): Promise<Ears> {
    const client = new pg.Client({ ...pool.options })
    await client.connect()
    for (const channel of [...channels, 'mark']) await client.query(`listen "${schema}:${channel}"`)
    return new Ears(client, pool, schema)
  }

  /** What was said on a channel until now. Postgres keeps the order of commits: after our mark nothing is missing. */
  async heard(channel: Channel): Promise<string[]> {
    this.#marks += 1
    const mark = String(this.#marks)
    await this.#pool.query('select pg_notify($1, $2)', [`${this.#schema}:mark`, mark])
    await until(async () =>
      Promise.resolve(
        this.#said.some((one) => one.channel.endsWith(':mark') && one.payload === mark),
      ),
    )
    return this.#said
      .filter((one) => one.channel === `${this.#schema}:${channel}`)
      .map(({ payload }) => payload)
  }

  /** Forgets what was said, also what is still on its way. */
  async forget(): Promise<void> {
    await this.heard('ready')
    this.#said = []
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}
