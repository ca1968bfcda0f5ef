import type { ClaimedTask as ClaimedTaskRow } from '../engine/task.ts'
import type { CamelCase } from '../lib/casing.ts'

/** A claimed task. `claim` proves that you hold its lease: every report carries it. */
export interface ClaimedTask extends CamelCase<ClaimedTaskRow> {}
