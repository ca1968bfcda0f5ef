import pg from 'pg'
import { ServerClient, type ServerConfig } from './server-client.js'

export type ServerPoolConfig = pg.PoolConfig & Pick<ServerConfig, 'session'>

/** A pool of connections that find the right server by themselves, and notice when theirs falls silent. */
export function openPool(config: ServerPoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: ServerClient as unknown as typeof pg.Client })
  // An idle connection that is lost is replaced when next needed; unheard, it would end the process.
  pool.on('error', () => {})
  return pool
}

/** Whether a pool was opened here; an application's own keeps the driver's connections. */
export function isServerPool({ options }: pg.Pool): boolean {
  return (options as pg.PoolConfig).Client === (ServerClient as unknown)
}
