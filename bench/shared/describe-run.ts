import type { Machine } from '../measure/machine.ts'

interface Run {
  readonly machine: Machine
  readonly seed: number
  readonly rounds: number
  /** How many runs were merged. */
  readonly runs?: number
  readonly loadAfter: number
}

/** Where and when a result was measured, for its page. */
export function describeRun({ machine, seed, rounds, runs = 1, loadAfter }: Run): string {
  return [
    `Measured on ${machine.at.slice(0, 10)}: Postgres ${machine.postgres}, Node`,
    `${machine.node.replace('v', '')}, ${machine.cores} cores (${machine.cpu.trim()}). Medians of up to ${rounds} rounds, seed ${seed}${runs > 1 ? `, merged from ${runs} runs` : ''}.`,
    `The load of the machine was ${machine.loadBefore} before and ${loadAfter} after${loadNote(machine.loadBefore, machine.cores)}`,
  ].join('\n')
}

/** Says that the machine was busy, so that readers do not mistake its rates for those of an idle one. */
function loadNote(load: number, cores: number): string {
  if (load <= cores / 2) return '.'
  return ': **other programs were using it**, so rates are low and\nuneven. Compare CPU times and ratios instead.'
}
