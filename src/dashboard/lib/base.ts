/** The path that the dashboard is mounted below, as the server wrote it into the page: '' or '/tusk'. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="tusk-base"]')?.content.replace(/\/$/, '') ??
  ''

/** An address of the API. */
export function apiPath(path: string): string {
  return `${base}/api/v1${path}`
}
