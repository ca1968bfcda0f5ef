const longestWaitSeconds = 60

/** How long the client would wait for an answer, in seconds, from `Prefer: wait=10`; capped at 60. */
export function preferredWait(request: Request): number | undefined {
  const found = request.headers.get('prefer')?.match(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?/i)
  return found === null || found === undefined
    ? undefined
    : Math.min(Number(found[1]), longestWaitSeconds)
}

/** Says that the wish was granted. */
export function waited(seconds: number): Record<string, string> {
  return { 'preference-applied': `wait=${seconds}` }
}
