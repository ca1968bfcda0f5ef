import { z } from '@hono/zod-openapi'
import { docsPage } from '../pages/docs/docs-page.ts'
import type { Api } from '../routing/route.ts'

/** The API about itself. `describe` is asked when all routes are there. */
export function register(api: Api, describe: () => object, basePath: string): void {
  let document: object | undefined
  const read = () => {
    document ??= describe()
    return document
  }

  api.route(
    {
      method: 'get',
      path: '/openapi.json',
      scope: 'open',
      tag: 'Documentation',
      operationId: 'getOpenApi',
      summary: 'Get this API as an OpenAPI 3.1 document',
      responses: {
        200: { description: 'The document', body: z.record(z.string(), z.unknown()) },
      },
    },
    async () => ({ status: 200, body: read() as Record<string, unknown> }),
  )

  api.route(
    {
      method: 'get',
      path: '/docs',
      scope: 'open',
      tag: 'Documentation',
      operationId: 'getDocs',
      summary: 'Show this API as a page, with a form to try each operation',
      responses: { 200: { description: 'The page', contentType: 'text/html' } },
    },
    async () => ({ status: 200, response: docsPage(read(), basePath) }),
  )
}
