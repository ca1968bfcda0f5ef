import type { Site } from './site.ts'

interface Items {
  readonly items: readonly Readonly<Record<string, string>>[]
}

/** Every page by its name, with its path. The paths name tasks, workers and errors that exist. */
export async function addressesOf({ url, token }: Site): Promise<readonly [string, string][]> {
  const first = async (path: string, field: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/api/v1${path}`, { headers })
    const { items } = (await response.json()) as Items
    return items[0]?.[field] ?? ''
  }
  const [waiting, failed, worker, error] = [
    await first('/tasks?state=ready&limit=1', 'id'),
    await first('/tasks?state=failed&limit=1', 'id'),
    await first('/workers', 'id'),
    await first('/errors', 'fingerprint'),
  ]
  return [
    ['Overview', '/'],
    ['Overview of 7 days', '/?range=7d'],
    ['Tasks', '/tasks'],
    ['Tasks that failed', '/tasks?state=failed'],
    ['Tasks of a queue', '/tasks?queue=mail'],
    ['Tasks of an error', `/tasks?error=${error}`],
    ['Tasks with a text that none has', '/tasks?q=nowhere'],
    ['Task that waits', `/tasks/${waiting}`],
    ['Task that failed', `/tasks/${failed}`],
    ['New task', '/new'],
    ['Queues', '/queues'],
    ['Queue', '/queues/mail'],
    ['Group', '/groups/customer-1'],
    ['Schedules', '/schedules'],
    ['Schedule', '/schedules/plan%201'],
    ['Plan', '/plan'],
    ['Errors', '/errors'],
    ['Workers', '/workers'],
    ['Worker', `/workers/${worker}`],
    ['Chores', '/chores'],
    ['Database', '/database'],
    ['Audit', '/audit'],
    ['Settings', '/settings'],
  ]
}
