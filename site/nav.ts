import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of docs/, by its path without `.md`, and what the navigation calls it. */
export interface NavPage {
  readonly text: string
  readonly page: string
}

export interface NavGroup {
  readonly text: string
  readonly pages: readonly NavPage[]
}

/** Everything that the site shows, in the order in which it shows it. A test compares it with the files. */
export function readNav(docs: string): NavGroup[] {
  return [
    group('Index', 'index: Where to start', 'faq: Questions and answers', 'glossary: Glossary'),
    group(
      'Start',
      'start/sql: From psql',
      'learn/client: From TypeScript',
      'learn/server: As a server',
    ),
    ...learnGroups,
    ...howToGroups,
    ...otherHowTos(docs),
    group(
      'Recipes',
      'recipes/index: All recipes',
      'recipes/enqueueing: Enqueueing',
      'recipes/limiting: Limits and order',
      'recipes/planning: Planning',
      'recipes/watching: Watching',
      'recipes/handling: Handling',
    ),
    ...referenceGroups(docs),
    upgradeGroup,
    { text: 'Decisions', pages: decisions(docs) },
  ]
}

const learnGroups = [
  group(
    'Learn',
    'learn/handlers: Handlers',
    'learn/worker: Workers',
    'learn/retries: Retries and backoff',
    'learn/limits: Limits, rates, fair queues',
    'learn/keys: Keys',
    'learn/payloads: Payloads',
    'learn/schedules: Schedules',
    'learn/sql-tasks: SQL tasks',
    'learn/documents: Documents',
    'learn/durable: Durable tasks',
    'learn/executors: Executors over HTTP',
    'learn/retention: Retention',
    'learn/access: Access',
    'learn/dashboard: The dashboard',
    'learn/leadership: Chores and leadership',
  ),
]

const howToGroups = [
  group(
    'How to: build',
    'how-to/enqueue-from-a-handler: Enqueue from a handler',
    'how-to/test-your-handlers: Test your handlers',
    'how-to/mount: Mount the HTTP API',
    'how-to/push: Push to an endpoint',
    'how-to/bundle: Bundle your application',
    'how-to/mcp: Let an agent in: MCP',
    'how-to/multi-tenancy: Tenants in one database',
  ),
  group(
    'How to: operate',
    'how-to/production: Production checklist',
    'how-to/troubleshooting: Troubleshooting',
    'how-to/why-does-it-wait: Why does a task wait?',
    'how-to/monitor: Monitor',
    'how-to/doctor: Ask the doctor',
    'how-to/deploy: Deploy',
    'how-to/failover: Failover',
    'how-to/high-availability: High availability',
    'how-to/backup: Backup and restore',
    'how-to/pooler: Behind a pooler',
    'how-to/tls: TLS',
    'security: Security',
    'performance: Performance',
  ),
]

/** How-to pages that no group names yet, by their titles. */
function otherHowTos(docs: string): NavGroup[] {
  const named = [...howToGroups, upgradeGroup].flatMap(({ pages }) => pages.map(({ page }) => page))
  const pages = namesIn(docs, 'how-to')
    .map((name) => `how-to/${name}`)
    .filter((page) => !named.includes(page))
    .map((page) => ({ page, text: titleOf(join(docs, `${page}.md`)) }))
  return pages.length === 0 ? [] : [{ text: 'How to: more', pages }]
}

function titleOf(file: string): string {
  return /^# (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file
}

const upgradeGroup = group(
  'Upgrade and move',
  'how-to/upgrade: Upgrade and roll back',
  'upgrade/comparison: Tusk and others',
  'upgrade/from-graphile-worker: From graphile-worker',
  'upgrade/from-pg-boss: From pg-boss',
  'upgrade/from-bullmq: From BullMQ',
  'upgrade/from-durable-engines: From Temporal, DBOS, Absurd, Inngest',
  'durable-compared: Durable engines compared',
  'how-to/import: Import jobs and schedules',
  'dialects/README: Dialects',
  'dialects/comparison: pg_task, pg_background and Tusk',
  'dialects/pg-task: pg_task',
  'dialects/moving-from-pg-task: Moving from pg_task',
  'dialects/pg-background: pg_background',
  'dialects/moving-from-pg-background: Moving from pg_background',
  'dialects/fetchq: Fetchq',
  'dialects/moving-from-fetchq: Moving from Fetchq',
  'dialects/task-server: Task server',
)

function referenceGroups(docs: string): NavGroup[] {
  const verbs = namesIn(docs, 'reference/sql').filter(
    (name) => name !== 'index' && name !== 'views',
  )
  return [
    group(
      'Reference',
      'reference/client: TypeScript: overview',
      ...namesIn(docs, 'reference/typescript').map(
        (name) => `reference/typescript/${name}: TypeScript: ${name}`,
      ),
      'reference/http: HTTP API: overview',
      'reference/http-routes: HTTP API: routes',
      'reference/cli: Command line: overview',
      'reference/commands: Command line: commands',
      'reference/configuration: Configuration',
      'reference/errors: Errors',
      'reference/limits: Limits',
      'reference/cron: Cron, intervals, zones',
      'reference/events: Events',
      'reference/metrics: Metrics',
    ),
    group(
      'Reference: SQL',
      'reference/sql/index: All verbs',
      ...verbs.map((name) => `reference/sql/${name}: ${name}`),
      'reference/sql/views: Views',
      'states: States',
      'architecture: Architecture',
    ),
  ]
}

function decisions(docs: string): NavPage[] {
  return namesIn(docs, 'decisions').map((name) => {
    const words = name.slice(5).replaceAll('-', ' ')
    return { text: `${name.slice(0, 4)} ${words}`, page: `decisions/${name}` }
  })
}

/** Each row is `page: text`. */
function group(text: string, ...rows: readonly string[]): NavGroup {
  const pages = rows.map((row) => {
    const [page = '', ...words] = row.split(': ')
    return { page, text: words.join(': ') }
  })
  return { text, pages }
}

function namesIn(docs: string, folder: string): string[] {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort()
}
