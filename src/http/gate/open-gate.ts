import type { HttpContext } from '../http-context.ts'
import type { HttpOptions } from '../options.ts'
import { Authenticator } from './authenticate.ts'
import { Gate } from './gate.ts'
import { RateLimiter } from './rate-limit.ts'
import { openSessions } from './sessions.ts'

const failureLimit = { perSecond: 1, burst: 30 }

export function openGate(options: HttpOptions, context: HttpContext): Gate {
  const { rateLimit } = options
  return new Gate({
    authenticator: new Authenticator({
      find: (token) => context.tusk.tokens.find(token),
      sessions: openSessions(context, options.token),
      token: options.token,
      authenticate: options.authenticate,
    }),
    requests: rateLimit === undefined ? undefined : new RateLimiter('requests', rateLimit),
    failures: new RateLimiter('failures', options.failureLimit ?? failureLimit),
  })
}
