import { z } from 'zod'
import { urlFault, urlShape } from '../../db/url-fault.ts'

/** One thing that can be configured, in each of the ways to do so. */
export interface Setting<Value = unknown> {
  /** What it must be, wherever it comes from. */
  readonly schema: z.ZodType<Value>
  /** How it is read from a text, as environment variables are. */
  readonly read: (text: string) => unknown
  /** What a message says it must be. */
  readonly shape: string
  readonly about: string
  readonly env?: string
  /** The option of the command line, as it is typed. */
  readonly flag?: string
  /** A connection string, or several by name; their passwords are not shown. */
  readonly isSecret?: true
  /** A relative one is meant from the folder of the file that says it. */
  readonly isPath?: true
  readonly fallback?: Value
}

const levels = ['silent', 'error', 'warn', 'info', 'debug'] as const
const outputs = ['table', 'json', 'jsonl', 'csv'] as const

const text = { schema: z.string().min(1), read: asIs, shape: 'a text' }
const url = {
  schema: z.string().superRefine((given, context) => {
    const fault = urlFault(given)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  }),
  read: asIs,
  shape: urlShape,
  isSecret: true,
} as const
const flagged = {
  schema: z.boolean(),
  read: (given: string) => booleans.get(given.toLowerCase()) ?? given,
  shape: 'true or false',
}
const booleans = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

function whole(from: number, to: number) {
  return {
    schema: z.int().min(from).max(to),
    read: toNumber,
    shape: `a whole number from ${from} to ${to}`,
  }
}

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return { schema: z.enum(words), read: asIs, shape: `one of ${words.join(', ')}` }
}

const names = {
  schema: z.array(z.string().min(1)).min(1),
  read: (given: string) => given.split(',').map((name) => name.trim()),
  shape: 'a list of names',
}

/** Everything there is to configure, in the order in which it is shown. */
export const settings = {
  'database.url': {
    ...url,
    env: 'DATABASE_URL',
    flag: '--database-url',
    about: 'your Postgres; without it the embedded one',
  },
  'database.directUrl': {
    ...url,
    env: 'DIRECT_DATABASE_URL',
    flag: '--direct-url',
    about: 'the same database without a pooler in between, for LISTEN and for workers',
  },
  'database.schema': {
    ...text,
    env: 'TUSK_SCHEMA',
    flag: '--schema',
    fallback: 'tusk',
    about: 'schema of the engine',
  },
  'database.roles': {
    schema: z.union([z.string().min(1), z.literal(false)]),
    read: (given: string) => (booleans.get(given.toLowerCase()) === false ? false : given),
    shape: 'a prefix, or false',
    env: 'TUSK_ROLES',
    flag: '--roles',
    about: 'prefix of the names of its roles; false for no roles',
  },
  'embedded.directory': {
    ...text,
    env: 'TUSK_HOME',
    isPath: true,
    about: 'state directory: the embedded Postgres and the token of tusk start',
  },
  'embedded.port': {
    ...whole(1, 65_535),
    env: 'TUSK_POSTGRES_PORT',
    flag: '--postgres-port',
    about: 'port of the embedded Postgres; by default a free one',
  },
  'http.host': {
    ...text,
    env: 'TUSK_HTTP_HOST',
    flag: '--http-host',
    fallback: '127.0.0.1',
    about: 'address the HTTP server listens on',
  },
  'http.port': {
    ...whole(0, 65_535),
    env: 'TUSK_HTTP_PORT',
    flag: '--port',
    fallback: 8787,
    about: 'port of the HTTP server; 0 takes a free one',
  },
  'http.basePath': {
    schema: z.string().regex(/^(\/[^/?#\s]+)*$/),
    read: asIs,
    shape: 'a path such as /tusk, without a slash at its end',
    env: 'TUSK_HTTP_BASE_PATH',
    flag: '--http-base-path',
    fallback: '',
    about: 'path under which the API and the dashboard are served',
  },
  'http.sql': {
    ...flagged,
    env: 'TUSK_HTTP_SQL',
    flag: '--http-sql',
    about: 'accept SQL tasks over HTTP; by default only on the embedded Postgres of tusk start',
  },
  'http.trustProxy': {
    ...flagged,
    env: 'TUSK_HTTP_TRUST_PROXY',
    flag: '--http-trust-proxy',
    fallback: false,
    about: 'trust X-Forwarded-For and related headers',
  },
  'http.bodyLimit': {
    ...whole(1_024, 1_000_000_000),
    env: 'TUSK_HTTP_BODY_LIMIT',
    fallback: 1_000_000,
    about: 'most bytes of a request',
  },
  'http.rateLimit': {
    schema: z.union([z.int().min(1), z.literal(false)]),
    read: (given: string) =>
      booleans.get(given.toLowerCase()) === false ? false : toNumber(given),
    shape: 'a whole number from 1, or false',
    env: 'TUSK_HTTP_RATE_LIMIT',
    about: 'requests a second of one token or address; false for no limit',
  },
  'http.openMetrics': {
    ...flagged,
    env: 'TUSK_HTTP_OPEN_METRICS',
    flag: '--http-open-metrics',
    fallback: false,
    about: 'GET /metrics without a token',
  },
  'worker.queues': {
    ...names,
    env: 'TUSK_QUEUES',
    flag: '--queues',
    about: 'queues a worker serves; by default those of its tasks',
  },
  'worker.concurrency': {
    ...whole(1, 10_000),
    env: 'TUSK_CONCURRENCY',
    flag: '--concurrency',
    fallback: 10,
    about: 'tasks a worker runs at once',
  },
  'worker.timeout': {
    ...whole(1, 2_147_483_647),
    env: 'TUSK_TIMEOUT',
    about: 'milliseconds a run may take if neither the task nor its queue nor its handler sets it',
  },
  'worker.handlers': {
    ...text,
    env: 'TUSK_HANDLERS',
    isPath: true,
    about: 'module whose exports are the handlers of tusk work',
  },
  'worker.sql': {
    ...flagged,
    env: 'TUSK_SQL',
    flag: '--sql',
    fallback: false,
    about: 'whether tusk work runs SQL tasks too',
  },
  'worker.sqlMaxRows': {
    ...whole(0, 1_000_000),
    env: 'TUSK_SQL_MAX_ROWS',
    about: 'rows kept of one result of a SQL task; by default 1000. A task or its queue may set it',
  },
  'worker.sqlMaxBytes': {
    ...whole(0, 15_000_000),
    env: 'TUSK_SQL_MAX_BYTES',
    about: 'bytes of the output of a SQL task; by default 900000. A task or its queue may set it',
  },
  'worker.allowRemote': {
    ...flagged,
    env: 'TUSK_ALLOW_REMOTE',
    flag: '--allow-remote',
    fallback: false,
    about: 'whether SQL tasks may bring a connection string of their own',
  },
  'worker.sqlLogins': {
    schema: z.record(z.string().min(1), url.schema),
    read: fromJson,
    shape: 'an object that gives each role the connection string of its login',
    env: 'TUSK_SQL_LOGINS',
    isSecret: true,
    about: 'logins of SQL tasks by the role that they run as; JSON in the environment',
  },
  'worker.secretHosts': {
    schema: z.record(z.string().min(1), z.array(z.string().min(1))),
    read: fromJson,
    shape: 'an object that gives each secret a list of hosts',
    env: 'TUSK_SECRET_HOSTS',
    about: 'hosts that secrets of connections may be sent to; JSON in the environment',
  },
  'worker.push': {
    ...flagged,
    env: 'TUSK_PUSH',
    flag: '--push',
    fallback: false,
    about: 'whether tusk work and tusk drain deliver tasks to endpoints, and run nothing else',
  },
  'worker.pushAllow': {
    ...names,
    env: 'TUSK_PUSH_ALLOW',
    about: 'endpoints, as host:port, that need neither a public address nor https; for tests',
  },
  'worker.chores': {
    ...flagged,
    env: 'TUSK_CHORES',
    flag: '--chores',
    fallback: true,
    about: 'whether workers take part in the chores',
  },
  schedules: {
    schema: z.record(z.string().min(1), z.record(z.string(), z.json())),
    read: asIs,
    shape: 'schedules by name',
    about: 'schedules that tusk start and tusk work apply',
  },
  logLevel: {
    ...oneOf(levels),
    env: 'TUSK_LOG_LEVEL',
    flag: '--log-level',
    fallback: 'warn',
    about: 'lowest level of the log lines that are written',
  },
  output: {
    ...oneOf(outputs),
    env: 'TUSK_OUTPUT',
    flag: '--output',
    about: 'format of printed data; a table on a terminal, otherwise JSON',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as SettingName[]

/** What a setting is once it is resolved; undefined when it was not given and has no default. */
export type ValueOf<Name extends SettingName> =
  | z.output<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name] extends { readonly fallback: unknown } ? never : undefined)

export function settingNamed(name: SettingName): Setting {
  return settings[name]
}

/** What a setting must be and, if more is known, why a value is not. */
export function mustBe({ shape }: Setting, { issues }: z.ZodError): string {
  const fault = issues.find(({ code }) => code === 'custom')?.message
  return `must be ${shape}${fault === undefined ? '' : `: ${fault}`}`
}

function asIs(given: string): string {
  return given
}

/** A value that is not JSON stays a text, which is then refused as such. */
function fromJson(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

function toNumber(given: string): unknown {
  return given.trim() === '' ? given : Number(given)
}
