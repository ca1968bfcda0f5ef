export const apiRoot = '/api/v1'

/**
 * A path without the base path, which a proxy in front may have stripped already. A base path such as
 * `/api` looks like the beginning of ours then, and is not stripped again.
 */
export function pathOf({ pathname }: URL, basePath: string): string {
  if (pathname === basePath) return '/'
  if (!pathname.startsWith(`${basePath}/`)) return pathname
  const rest = pathname.slice(basePath.length)
  return isOfApi(pathname) && !isOfApi(rest) ? pathname : rest
}

function isOfApi(path: string): boolean {
  return path.startsWith(`${apiRoot}/`)
}
