import { Client } from 'pg'

/** Runs a statement on a new connection, for example to create or drop a database. */
export async function onCluster(url: string, text: string): Promise<void> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
