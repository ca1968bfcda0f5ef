import { askOne, type Examination } from './examination.ts'

/** The server itself. */
export interface ServerReport {
  readonly version: string
  readonly database: string
  readonly user: string
  readonly is_standby: boolean
  readonly started_at: Date
  readonly now: Date
  readonly max_connections: number
  readonly connections: number
  readonly database_bytes: number
  readonly notify_usage: number
}

export function server(at: Pick<Examination, 'db'>): Promise<ServerReport> {
  return askOne<ServerReport>(
    at,
    `select current_setting('server_version') as version,
            current_database() as database,
            current_user::text as user,
            pg_is_in_recovery() as is_standby,
            pg_postmaster_start_time() as started_at,
            clock_timestamp() as now,
            current_setting('max_connections')::integer as max_connections,
            (select sum(numbackends) from pg_stat_database)::integer as connections,
            pg_database_size(current_database())::float8 as database_bytes,
            pg_notification_queue_usage() as notify_usage`,
  )
}
