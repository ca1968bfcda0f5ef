/** A worker that is silent for a minute is forgotten: each is heard of three times as often. */
const longestSilenceMs = 20_000

/** How often a worker beats while it holds something, and while it does not. */
export function beatTimes(leaseMs: number): { readonly beatMs: number; readonly idleMs: number } {
  return { beatMs: Math.min(leaseMs / 5, longestSilenceMs), idleMs: longestSilenceMs }
}
