import type { WaitReason } from '../../engine/explaining.ts'
import type { Screen } from './screen.ts'

/** Why a task or a queue waits, a line each, with what to do about it. */
export function waitingLines(reasons: readonly WaitReason[], screen: Screen): string[] {
  if (reasons.length === 0) return []
  return ['', screen.paint('bold', 'why it waits'), ...reasons.map(waitingLine)]
}

/** `no worker serves queue mail. Start a worker …` */
export function waitingLine({ message, hint }: WaitReason): string {
  return hint === null ? message : `${message}. ${hint}`
}
