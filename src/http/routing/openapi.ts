import { ownVersion } from '../../lib/version.ts'
import type { App } from './routing.ts'

const description = `Tasks in Postgres, over HTTP: enqueue them, run them in any language, operate them.

Every error is a problem (RFC 9457) with a stable \`code\`. Send \`Authorization: Bearer tusk_…\`. The scope that a route needs is its \`x-tusk-scope\`. Every POST accepts an \`Idempotency-Key\`.`

/** The document of all routes, from the schemas that check them. */
export function describeApi(app: App, basePath: string): object {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Tusk', version: ownVersion(), description, license: { name: 'MIT' } },
    servers: [{ url: basePath || '/' }],
  })
}

/** How callers show who they are. */
export function declareSecurity({ openAPIRegistry }: App): void {
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'tusk_session',
    description:
      'Set by POST /session. Writes also need the header X-Tusk-Csrf: 1 and the Origin of this server.',
  })
}
