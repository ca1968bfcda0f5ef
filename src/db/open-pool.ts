import pg from 'pg'
import { ServerClient, type ServerConfig } from './server-client.js'

export type ServerPoolConfig = pg.PoolConfig & Pick<ServerConfig, 'session'>

/** A pool of connections that find the right server, and notice when their server stops answering. */
export function openPool(config: ServerPoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: ServerClient as unknown as typeof pg.Client })
  // A lost idle connection is replaced when one is next needed. Without a listener it would crash the process.
  pool.on('error', () => {})
  return pool
}

/** Whether a pool was opened here. An application's own pool keeps the driver's connections. */
export function isServerPool({ options }: pg.Pool): boolean {
  return (options as pg.PoolConfig).Client === (ServerClient as unknown)
}
