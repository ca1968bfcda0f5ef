import type { HttpContext } from '../http-context.ts'
import { type Edited, requireUnchanged } from '../requests/edit.ts'
import type { Api } from '../routing/route.ts'
import { byName } from '../schemas/common.ts'

interface Pausable<Thing> {
  /** As paths name it: `/queues/{name}/pause`. */
  readonly things: 'queues' | 'groups'
  readonly tag: string
  readonly edited: (name: string) => Edited<Thing>
  /** The verbs of the engine, and what they do. */
  readonly pause: readonly [PauseVerb, string]
  readonly resume: readonly [PauseVerb, string]
}

type PauseVerb = 'pause' | 'resume' | 'pauseGroup' | 'resumeGroup'

/** Pausing and resuming: of queues and groups alike. */
export function registerPausing<Thing>(
  api: Api,
  { verbs }: HttpContext,
  { things, tag, edited, pause, resume }: Pausable<Thing>,
): void {
  for (const [word, [verb, summary]] of Object.entries({ pause, resume })) {
    api.route(
      {
        method: 'post',
        path: `/${things}/{name}/${word}`,
        scope: 'operate',
        tag,
        summary,
        heedsIfMatch: true,
        params: byName,
        responses: { 204: { description: 'It is so' } },
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
