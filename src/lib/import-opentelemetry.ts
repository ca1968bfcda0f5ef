type Api = typeof import('@opentelemetry/api')

/**
 * The OpenTelemetry API, if the application has it. The import hides the name from bundlers, which would otherwise
 * require the optional package. It is resolved when the bundle runs.
 */
export async function importOpenTelemetry(): Promise<Api | undefined> {
  const name: string = '@opentelemetry/api'
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as Api
  } catch {
    return undefined
  }
}
