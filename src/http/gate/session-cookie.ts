import type { Exchange } from '../requests/exchange.ts'

const name = 'tusk_session'
const keepSeconds = 7 * 24 * 60 * 60

/** The token in the cookie of a browser. */
export function sessionOf(request: Request): string | undefined {
  const cookies = request.headers.get('cookie')?.split(';') ?? []
  const found = cookies.find((cookie) => cookie.trimStart().startsWith(`${name}=`))
  return found?.slice(found.indexOf('=') + 1).trim() || undefined
}

/**
 * Keeps the token where scripts cannot read it and other sites cannot use it. It is the token itself:
 * so a session ends when its token does, and outlasts a restart of the server.
 */
export function openSession(exchange: Exchange, basePath: string, token: string): string {
  return `${name}=${token}; Max-Age=${keepSeconds}; ${attributes(exchange, basePath)}`
}

export function endSession(exchange: Exchange, basePath: string): string {
  return `${name}=; Max-Age=0; ${attributes(exchange, basePath)}`
}

/** Over plain HTTP, on loopback, a browser would not keep a cookie that is Secure everywhere. */
function attributes({ origin }: Exchange, basePath: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${secure}`
}
