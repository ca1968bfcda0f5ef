import type { HttpContext } from '../http-context.ts'
import { type Edited, requireUnchanged } from '../requests/edit.ts'
import type { Api } from '../routing/route.ts'
import { byName } from '../schemas/common.ts'

interface Pausable<Thing> {
  /** As paths name it: `/queues/{name}/pause`. */
  readonly things: 'queues' | 'groups'
  readonly tag: string
  readonly edited: (name: string) => Edited<Thing>
  readonly pause: PauseAction
  readonly resume: PauseAction
}

interface PauseAction {
  /** The verb of the engine. */
  readonly verb: 'pause' | 'resume' | 'pauseGroup' | 'resumeGroup'
  readonly operationId: string
  readonly summary: string
  /** Of the answer. */
  readonly description: string
}

/** Pausing and resuming: of queues and groups alike. */
export function registerPausing<Thing>(
  api: Api,
  { verbs }: HttpContext,
  { things, tag, edited, pause, resume }: Pausable<Thing>,
): void {
  for (const [word, { verb, operationId, summary, description }] of Object.entries({
    pause,
    resume,
  })) {
    api.route(
      {
        method: 'post',
        path: `/${things}/{name}/${word}`,
        scope: 'operate',
        tag,
        operationId,
        summary,
        heedsIfMatch: true,
        params: byName,
        responses: { 204: { description } },
      },
      async (call) => {
        const { name } = call.params
        await call.audited(async (db) => {
          await requireUnchanged(db, call, edited(name))
          await verbs[verb](db, name)
        })
        return { status: 204 }
      },
    )
  }
}
