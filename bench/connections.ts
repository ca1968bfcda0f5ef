import { Client, types } from 'pg'

const timestamptz = 1184

/** Times stay text: of a batch only the last is ever looked at. */
const rawTimes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === timestamptz
      ? (value: string) => value
      : format === 'binary'
        ? types.getTypeParser(oid, 'binary')
        : types.getTypeParser(oid, 'text'),
}

/** The connections of one subject, by what they are for. They stay open from round to round, warm. */
export class Connections {
  readonly #url: string
  readonly #run: string
  readonly #schema: string
  readonly #open = new Map<string, Promise<Client>>()

  constructor(url: string, run: string, schema: string) {
    this.#url = url
    this.#run = run
    this.#schema = schema
  }

  get(purpose: string): Promise<Client> {
    const open = this.#open.get(purpose) ?? this.#connect()
    this.#open.set(purpose, open)
    return open
  }

  async close(): Promise<void> {
    const clients = await Promise.all(this.#open.values())
    await Promise.all(clients.map((client) => client.end()))
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: this.#run,
      options: `-c search_path=${this.#schema} -c client_min_messages=warning`,
      types: rawTimes,
    })
    // The query under way fails by itself; without a listener the process would end too.
    client.on('error', () => {})
    await client.connect()
    return client
  }
}
