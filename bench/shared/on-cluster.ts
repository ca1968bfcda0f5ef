import { Client } from 'pg'

/** Runs a statement on a connection of its own: databases are made and dropped so. */
export async function onCluster(url: string, text: string): Promise<void> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
