import { readFile } from 'node:fs/promises'
import type { Client } from 'pg'

/** Processor time a backend has used since it started, in microseconds. */
export type CpuClock = () => Promise<number | null>

/**
 * Follows the process behind a connection. Answers null where /proc does not show it: another
 * machine or another system. Checkpointer, walwriter and autovacuum are not part of any backend,
 * so their share is left out.
 */
export async function backendClock(db: Client): Promise<CpuClock> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const isOurs = (await read(`/proc/${pid}/cmdline`))?.startsWith('postgres')
  if (!isOurs) return async () => null
  return () => processMicros(pid)
}

/** Processor time that a process has used since it started; null when it is gone. */
export async function processMicros(pid: number | undefined): Promise<number | null> {
  return (await fromScheduler(pid)) ?? (await fromStat(pid))
}

/** Exact to the nanosecond, where the kernel keeps it. */
async function fromScheduler(pid: number | undefined): Promise<number | null> {
  const nanoseconds = Number((await read(`/proc/${pid}/schedstat`))?.split(' ')[0])
  return nanoseconds > 0 ? nanoseconds / 1_000 : null
}

/** utime + stime, counted in ticks of 10 ms. */
async function fromStat(pid: number | undefined): Promise<number | null> {
  const fields = (await read(`/proc/${pid}/stat`))?.split(') ')[1]?.split(' ')
  if (fields === undefined) return null
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
