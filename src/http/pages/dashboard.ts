import {
  builtDashboard,
  type DashboardFile,
  dashboardFile,
  readDashboard,
} from './dashboard-files.ts'

/** Answers for the pages of the dashboard; null for what is not one of them. */
export type Dashboard = (request: Request, path: string) => Promise<Response | null>

/** No script, style or connection but our own, and no other page may put this one into a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const forever = 'public, max-age=31536000, immutable'

/** Serves what `vite build` made, below any base path. The files are read once, when first asked for. */
export function openDashboard(basePath: string, given: string | boolean = true): Dashboard {
  const directory = typeof given === 'string' ? given : builtDashboard
  let reading: Promise<Map<string, DashboardFile>> | undefined
  return async (request, path) => {
    if (!isPage(request, path) && !path.startsWith('/assets/')) return null
    reading ??= readDashboard(directory).then((files) => withBase(files, basePath))
    const files = await reading
    if (path.startsWith('/assets/')) {
      const file = files.get(path)
      // Their names carry a hash of what is in them.
      return file === undefined ? null : respondWith(file, request, forever)
    }
    const page = files.get('/index.html')
    return page === undefined ? null : respondWith(page, request, 'no-cache')
  }
}

/** The browser's own router knows the paths, so each of them gets the page; the API's are not ours. */
function isPage(request: Request, path: string): boolean {
  if (path === '/') return true
  if (path.startsWith('/api/')) return false
  return request.headers.get('accept')?.includes('text/html') ?? false
}

/** Tells the page where it is: its own addresses become absolute, and its scripts read the rest. */
function withBase(files: Map<string, DashboardFile>, basePath: string): Map<string, DashboardFile> {
  const page = files.get('/index.html')
  if (page === undefined) return files
  const base = escapeAttribute(basePath)
  const html = new TextDecoder()
    .decode(page.bytes)
    .replaceAll('="./', `="${base}/`)
    .replace('name="tusk-base" content=""', `name="tusk-base" content="${base}"`)
  return new Map(files).set('/index.html', dashboardFile(page.type, new TextEncoder().encode(html)))
}

function respondWith(file: DashboardFile, request: Request, cacheControl: string): Response {
  const isGzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  return new Response(isGzipped ? file.gzipped : file.bytes, {
    headers: {
      'content-type': file.type,
      'cache-control': cacheControl,
      'content-security-policy': policy,
      vary: 'accept-encoding',
      ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
