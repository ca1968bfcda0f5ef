import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { describe } from 'vitest'

/** A second host: a network namespace of its own, joined to this one by a cable that a test can pull. */
export interface FarHost {
  /** This host as the other one sees it. */
  readonly nearAddress: string
  readonly farAddress: string
  /** Put before a command, it runs the command on the other host. */
  readonly prefix: readonly string[]
  /** From now on no packet gets through: neither data nor FIN nor RST. */
  pullCable(): Promise<void>
  close(): Promise<void>
}

/** Debian puts `ip` where only root looks. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }
const named = 'tusk-test-'

async function ip(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('ip', args, { env })).stdout
}

/** Why this machine gives no namespaces; undefined where it does. */
function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  const name = nameFor(process.pid)
  try {
    execFileSync('ip', ['netns', 'add', name], { env, stdio: 'pipe' })
    execFileSync('ip', ['netns', 'delete', name], { env, stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `ip netns add does not work: ${String(error).split('\n').slice(0, 2).join(' ').trim()}`
  }
}

/** Like describe, for what needs a second host; where there can be none, the report says why. */
export function describeWithFarHost(name: string, tests: () => void): void {
  const why = missing()
  if (why === undefined) describe(name, tests)
  else describe.skip(`${name} (skipped: ${why})`, tests)
}

export async function openFarHost(): Promise<FarHost> {
  await sweepAbandoned()
  const name = nameFor(process.pid)
  const near = `tusk${randomBytes(4).toString('hex')}`
  // 198.18.0.0/15 is set aside for tests of network devices: no real network has these addresses.
  const net = `198.${randomInt(18, 20)}.${randomInt(256)}`
  const first = randomInt(64) * 4
  const [nearAddress, farAddress] = [`${net}.${first + 1}`, `${net}.${first + 2}`]
  const close = async () => {
    // The cable goes with either of its ends.
    await ip('link', 'delete', near).catch(() => {})
    await ip('netns', 'delete', name).catch(() => {})
  }
  try {
    await ip('netns', 'add', name)
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', 'far', 'netns', name)
    await ip('address', 'add', `${nearAddress}/30`, 'dev', near)
    await ip('link', 'set', near, 'up')
    await ip('-n', name, 'address', 'add', `${farAddress}/30`, 'dev', 'far')
    await ip('-n', name, 'link', 'set', 'far', 'up')
    await ip('-n', name, 'link', 'set', 'lo', 'up')
  } catch (error) {
    await close()
    throw error
  }
  return {
    nearAddress,
    farAddress,
    prefix: ['ip', 'netns', 'exec', name],
    pullCable: async () => {
      await ip('-n', name, 'link', 'set', 'far', 'down')
    },
    close,
  }
}

function nameFor(pid: number): string {
  return `${named}${pid}-${randomBytes(4).toString('hex')}`
}

/** A run that was killed could not remove its own. */
async function sweepAbandoned(): Promise<void> {
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ')
    const pid = name.startsWith(named) ? Number.parseInt(name.slice(named.length), 10) : Number.NaN
    if (pid > 0 && !isAlive(pid)) await ip('netns', 'delete', name).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
