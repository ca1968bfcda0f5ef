type Api = typeof import('@opentelemetry/api')

/**
 * The API of OpenTelemetry, if the application has it. The name is not written where bundlers look for it: they would
 * demand a package that is optional. It is found when the bundle runs.
 */
export async function importOpenTelemetry(): Promise<Api | undefined> {
  const name: string = '@opentelemetry/api'
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as Api
  } catch {
    return undefined
  }
}
