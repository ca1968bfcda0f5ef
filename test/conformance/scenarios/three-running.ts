import type { ClaimedTask } from '../../../src/engine/task.ts'
import type { TestEngine } from '../../support/test-engine.ts'

/** Three tasks that run, of two queues and two workers, in the order in which they were enqueued. */
export async function threeRunning(engine: TestEngine): Promise<ClaimedTask[]> {
  const first = await engine.running(
    { queue: 'mail', runAt: new Date(Date.UTC(2021, 0, 1)) },
    { worker: 'ada' },
  )
  const second = await engine.running(
    { queue: 'post', runAt: new Date(Date.UTC(2022, 0, 1)) },
    { worker: 'bob' },
  )
  const third = await engine.running({ queue: 'post', retention: '5 hours' }, { worker: 'bob' })
  return [first, second, third]
}
