import { kill } from './kill.ts'
import { steps } from './steps.ts'
import { wake } from './wake.ts'
import type { Workload } from './workload.ts'

export const workloads: readonly Workload[] = [steps, wake, kill]
