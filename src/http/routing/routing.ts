import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { Problem } from '../answers/problem.ts'
import type { RouteScope } from '../gate/scopes.ts'
import type { Exchange } from '../requests/exchange.ts'
import { apiRoot, pathOf } from '../requests/path-of.ts'
import { problemSchema } from '../schemas/problem.ts'
import type { AnyHandler, AnySpec, Api } from './route.ts'
import { type Serving, serveRoute } from './serve-route.ts'

/** What Hono hands on to the handlers. */
export interface HttpEnv {
  Bindings: { exchange: Exchange }
}

export type App = OpenAPIHono<HttpEnv>

/** What the list of all routes says about one. */
export interface KnownRoute {
  readonly method: string
  readonly path: string
  readonly scope: RouteScope
}

export interface Routing {
  readonly app: App
  readonly api: Api
  readonly routes: readonly KnownRoute[]
}

/** The router: an app that finds handlers, and an Api that puts them there. */
export function openRouting(serving: Serving): Routing {
  const { basePath } = serving.context
  const app: App = new OpenAPIHono<HttpEnv>({
    getPath: (request) => pathOf(new URL(request.url), basePath),
  })
  const routes: KnownRoute[] = []
  const add = (spec: AnySpec, handler: AnyHandler) => {
    const path = `${spec.atRoot === true ? '' : apiRoot}${spec.path}`
    app.openAPIRegistry.registerPath(createRoute(documented(spec, path)))
    routes.push({ method: spec.method.toUpperCase(), path, scope: spec.scope })
    app.on([spec.method.toUpperCase()], [honoPath(path)], (c) => {
      const { exchange } = c.env
      exchange.route = path
      return serveRoute(serving, spec, handler, exchange, c.req.param())
    })
  }
  app.notFound((c) => {
    throw nothingHere(c.req.path, routes)
  })
  app.onError((error) => {
    throw error
  })
  return { app, api: { route: add as Api['route'] }, routes }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function nothingHere(path: string, routes: readonly KnownRoute[]): Problem {
  const methods = routes
    .filter((route) => patternOf(route.path).test(path))
    .map(({ method }) => method)
  if (methods.length === 0) {
    return new Problem(404, 'not_found', `there is no route ${path}`, {
      hint: `The routes are listed at ${apiRoot}/docs.`,
    })
  }
  const allow = [...new Set(methods.flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m])))]
  return new Problem(405, 'method_not_allowed', `${path} accepts only ${allow.join(', ')}`, {
    headers: { allow: allow.join(', ') },
  })
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

const problems = {
  description: 'A problem with a stable code',
  content: { 'application/problem+json': { schema: problemSchema } },
}

const ifMatch = z.object({
  'If-Match': z.string().optional().openapi({
    description: 'Change it only if it still has this ETag; otherwise the answer is 412.',
  }),
})

/** The route in the words of OpenAPI, from the schemas that also check it. */
function documented(spec: AnySpec, path: string): RouteConfig {
  const { method, tag, operationId, summary, description, params, query, body } = spec
  const { scope, heedsIfMatch } = spec
  const content = body === undefined ? undefined : { 'application/json': { schema: body } }
  return {
    method,
    path,
    tags: [tag],
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    security: scope === 'open' ? [] : [{ bearer: [] }, { session: [] }],
    'x-tusk-scope': scope,
    request: {
      ...(params instanceof z.ZodObject ? { params } : {}),
      ...(query instanceof z.ZodObject ? { query } : {}),
      ...(heedsIfMatch === true ? { headers: ifMatch } : {}),
      ...(content === undefined ? {} : { body: { content } }),
    },
    responses: { ...answers(spec), default: problems },
  }
}

function answers({ responses }: AnySpec): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, body, contentType }]) => {
      const type = contentType ?? 'application/json'
      const schema = body ?? (contentType === undefined ? undefined : z.string())
      const content = schema === undefined ? {} : { content: { [type]: { schema } } }
      return [status, { description, ...content }]
    }),
  )
}
