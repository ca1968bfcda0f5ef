import type { Exchange } from '../requests/exchange.ts'

const name = 'tusk_session'
const keepSeconds = 7 * 24 * 60 * 60

/** The secret of the session in the cookie of a browser. */
export function sessionOf(request: Request): string | undefined {
  const cookies = request.headers.get('cookie')?.split(';') ?? []
  const found = cookies.find((cookie) => cookie.trimStart().startsWith(`${name}=`))
  return found?.slice(found.indexOf('=') + 1).trim() || undefined
}

/**
 * Keeps the secret where scripts cannot read it and other sites cannot use it. It is a secret of the
 * session's own: a cookie that gets into wrong hands opens no other door, and can be ended by itself.
 */
export function sessionCookie(exchange: Exchange, basePath: string, secret: string): string {
  return `${name}=${secret}; Max-Age=${keepSeconds}; ${attributes(exchange, basePath)}`
}

export function endedCookie(exchange: Exchange, basePath: string): string {
  return `${name}=; Max-Age=0; ${attributes(exchange, basePath)}`
}

/** Over plain HTTP, on loopback, a browser would not keep a cookie that is Secure everywhere. */
function attributes({ origin }: Exchange, basePath: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${secure}`
}
