import type { Held } from '../../../src/engine/outcomes.ts'
import type { Door } from './door.ts'

/** The bulk verbs of SQL, each called for one task. */
export const bulkDoor: Door = ({ verbs }) => ({
  async enqueue(task) {
    const [enqueued] = await verbs.enqueueMany([task])
    if (enqueued === undefined) throw new Error('enqueue_many() answered nothing')
    return enqueued
  },
  async complete(held, output = null) {
    const ended = await verbs.completeMany([held], [output])
    if (!ended.includes(held.id)) await refusal(held, () => verbs.complete(held, output))
  },
  async fail(held, error = null, options = {}) {
    const [ended] = await verbs.failMany([{ id: held.id, claim: held.claim, error, ...options }])
    if (ended === undefined) return refusal(held, () => verbs.fail(held, error, options))
    return { state: ended.state, run_at: ended.run_at }
  },
  async cancel(id) {
    const ended = await verbs.cancelMany([id])
    if (!ended.includes(id)) await refusal({ id }, () => verbs.cancel(id))
  },
  async delete(id) {
    const gone = await verbs.deleteMany([id])
    if (!gone.includes(id)) await refusal({ id }, () => verbs.delete(id))
  },
})

/** What a bulk verb leaves out of its answer, the single verb has to refuse, and says why. */
async function refusal<T>({ id }: Pick<Held, 'id'>, single: () => Promise<T>): Promise<T> {
  await single()
  throw new Error(`a bulk verb left out task ${id}, which the single verb takes`)
}
