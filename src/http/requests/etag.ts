import { createHash } from 'node:crypto'
import { Problem } from '../answers/problem.ts'

/** The ETag of what can be edited of a thing. Leave out what changes by itself. */
export function etagOf(editable: object): string {
  const hash = createHash('sha256').update(JSON.stringify(editable)).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}

/** Refuses an edit of something that is no longer what the client saw. */
export function requireMatch(request: Request, current: string | undefined): void {
  const wanted = request.headers.get('if-match')
  if (wanted === null) return
  if (current === undefined) throw changedMeanwhile()
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes('*') && !tags.includes(current)) throw changedMeanwhile()
}

export function changedMeanwhile(cause?: unknown): Problem {
  return new Problem(412, 'precondition_failed', 'the resource has changed since you read it', {
    hint: 'Read it again, and send the change with its new ETag.',
    cause,
  })
}
