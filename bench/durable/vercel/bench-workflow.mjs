// Built by `workflow build` into vercel/.well-known, which the processes of this subject serve over HTTP.

/** The hooks of the process: steps run outside of the sandbox of the workflow. */
async function step(run, n) {
  'use step'
  return globalThis.benchHooks.step(run, n)
}

async function ended(run) {
  'use step'
  await globalThis.benchHooks.ended(run)
}

export async function bench(input) {
  'use workflow'
  for (let n = 1; n <= input.steps; n++) await step(input.run, n)
  await ended(input.run)
}
