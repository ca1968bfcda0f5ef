import { readdir, readFile, stat } from 'node:fs/promises'
import { unavailableError } from './unavailable.ts'

/** Who Postgres runs as. Only root needs one: Postgres refuses to run as root. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Where there is no account of our own. New clusters get a number of their own instead, where that can be. */
export const sharedAccount = 'nobody'

/**
 * The account a root process hands Postgres to; undefined when we are not root.
 *
 * Never `postgres`: a superuser of this cluster can run programs as its account, and could then
 * read the files of a real cluster on the same machine.
 */
export async function chooseAccount(configured?: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = parse(await readFile('/etc/passwd', 'utf8'))
  const wanted = configured === undefined ? ['tusk', sharedAccount] : [configured]
  for (const name of wanted) {
    const account = accounts.find((each) => each.name === name && each.uid !== 0)
    if (account !== undefined) return account
  }
  throw unavailableError(
    `Postgres cannot run as root, and there is no account ${wanted.join(' or ')}`,
  )
}

/**
 * The account that initdb runs as, for a cluster that another gets afterwards: initdb runs for no number
 * without an entry in /etc/passwd. One that has no process, so that nothing of another cluster can reach
 * into the new one while it is made; else the given one.
 */
export async function idleAccount(otherwise: Account): Promise<Account> {
  const accounts = parse(await readFile('/etc/passwd', 'utf8'))
  const busy = new Set(await uidsInUse())
  const idle = ['irc', 'uucp', 'list', 'games', 'news']
    .map((name) => accounts.find((each) => each.name === name))
    .find((each) => each !== undefined && each.uid !== 0 && !busy.has(each.uid))
  return idle ?? otherwise
}

async function uidsInUse(): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const owners = pids.map((pid) =>
    stat(`/proc/${pid}`).then(
      ({ uid }) => uid,
      () => 0,
    ),
  )
  return Promise.all(owners)
}

/** The account that owns an existing cluster: Postgres starts for no other. */
export async function ownerOf(
  directory: string,
  account: Account | undefined,
): Promise<Account | undefined> {
  if (account === undefined) return undefined
  const { uid, gid } = await stat(directory)
  return uid === account.uid ? account : { name: `uid ${uid}`, uid, gid }
}

function parse(passwd: string): Account[] {
  return passwd
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid))
}
