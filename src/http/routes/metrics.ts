import { cacheFor } from '../../lib/cache-for.ts'
import type { HttpContext } from '../http-context.ts'
import { NamedQueues } from '../metrics/by-queue.ts'
import { collect } from '../metrics/collect.ts'
import { contentTypes, formatFor, write } from '../metrics/write.ts'
import type { Api } from '../routing/route.ts'

/** Those who scrape at once share one look. */
const forMs = 1_000

/** What Prometheus and its kin read. */
export function register(api: Api, context: HttpContext): void {
  const named = new NamedQueues()
  const families = cacheFor(forMs, () => collect(context, named))
  api.route(
    {
      method: 'get',
      path: '/metrics',
      atRoot: true,
      scope: context.hasOpenMetrics ? 'open' : 'read',
      tag: 'Health',
      operationId: 'getMetrics',
      summary: 'Get metrics for Prometheus, or for OpenMetrics if the header Accept asks for it',
      description: 'Has the hundred busiest queues by name, and the others as queue="other".',
      responses: { 200: { description: 'The metrics', contentType: 'text/plain' } },
    },
    async ({ request }) => {
      const format = formatFor(request.headers.get('accept'))
      const text = write(await families(), format)
      const response = new Response(text, { headers: { 'content-type': contentTypes[format] } })
      return { status: 200, response }
    },
  )
}
