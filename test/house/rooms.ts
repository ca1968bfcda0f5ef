/**
 * Which room of src/ may import which: arrows point inward, and there are no cycles.
 *
 * A room is a folder of src/ with everything below it, except for rooms further down that have a line of their own.
 * A room may always import itself. A line names rooms, or single files of a room; `type:` in front of one allows
 * `import type` only. test/house/imports.test.ts enforces the table.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  // What everything stands on
  lib: [],
  db: ['lib'],
  embedded: ['lib'],
  engine: ['lib', 'db'],
  tasks: ['lib', 'db', 'engine'],
  adapters: ['db'],

  // Where a client or a worker connects to
  database: ['lib', 'db', 'embedded', 'dialects/upgrade-dialects.ts'],

  // How a task runs
  runners: ['lib', 'engine', 'tasks'],
  'runners/handler': ['lib', 'db', 'engine', 'tasks', 'runners'],
  'runners/push': ['engine', 'runners'],
  'runners/sql': ['lib', 'db', 'engine', 'runners', 'runners/sql/parser'],
  'runners/sql/parser': ['lib'],

  // Who runs it
  chores: ['lib', 'db', 'engine'],
  'worker/connections': ['lib', 'db'],
  'worker/leases': ['lib', 'db', 'engine', 'tasks', 'runners', 'worker/connections'],
  'worker/events': ['lib', 'engine', 'tasks', 'runners', 'worker/leases'],
  'worker/report': ['lib', 'db', 'engine', 'tasks', 'runners', 'worker/leases', 'worker/events'],
  'worker/run': [
    ...['lib', 'db', 'engine', 'tasks', 'runners', 'runners/handler', 'runners/sql'],
    ...['runners/push', 'worker/connections', 'worker/leases', 'worker/events', 'worker/report'],
  ],
  'worker/claim': ['lib', 'db', 'engine', 'worker/events', 'worker/run'],
  worker: [
    ...['lib', 'db', 'engine', 'tasks', 'chores', 'database'],
    ...['runners/handler', 'runners/push', 'runners/sql', 'runners/sql/parser'],
    ...['worker/connections', 'worker/leases', 'worker/events', 'worker/report'],
    ...['worker/run', 'worker/claim'],
  ],

  // Dialects, and what looks at a database
  dialects: ['lib', 'db'],
  'dialects/fetchq': ['lib', 'db', 'chores', 'dialects'],
  'dialects/pg-task': ['lib', 'db', 'chores', 'worker', 'dialects'],
  doctor: ['lib', 'db', 'dialects/list-dialects.ts'],
  // What is moved out of other task systems
  import: ['lib', 'db', 'engine'],

  // Doors
  client: ['lib', 'db', 'engine', 'tasks', 'database'],
  testing: [
    ...['lib', 'db', 'engine', 'tasks', 'runners', 'runners/handler'],
    ...['client', 'embedded'],
  ],
  'http/schemas': [],
  http: [
    ...['lib', 'db', 'engine', 'tasks', 'runners/sql/parser', 'doctor', 'client'],
    'http/schemas',
  ],
  // Agents: a view of the HTTP API
  mcp: ['lib', 'http/gate/scopes.ts'],
  dashboard: ['lib', 'type:http/schemas', 'type:engine/sql-output.ts', 'type:engine/task.ts'],

  // The command line
  'cli/process': ['lib'],
  'cli/output': ['lib', 'engine', 'dialects', 'client', 'cli/process'],
  'cli/options': ['lib', 'db', 'engine', 'tasks', 'client', 'cli/process', 'cli/output'],
  'cli/config': ['lib', 'db', 'cli/process', 'cli/output'],
  'cli/database': ['lib', 'db', 'engine', 'embedded', 'client', 'cli/process'],
  'cli/completion': ['db'],
  'cli/serving': [
    ...['lib', 'db', 'tasks', 'embedded', 'client', 'worker', 'http', 'mcp'],
    ...['dialects', 'dialects/fetchq', 'dialects/pg-task'],
    ...['cli/process', 'cli/output', 'cli/options', 'cli/config', 'cli/database'],
  ],
  'cli/demo': ['tasks', 'client', 'cli/process', 'cli/config', 'cli/serving'],
  'cli/bench': ['client', 'cli/serving'],
  'cli/commands': [
    ...['lib', 'db', 'engine', 'tasks', 'embedded', 'client', 'doctor'],
    ...['dialects', 'dialects/fetchq', 'dialects/pg-task', 'import', 'mcp'],
    ...['cli/process', 'cli/output', 'cli/options', 'cli/config', 'cli/database'],
    ...['cli/completion', 'cli/serving', 'cli/demo', 'cli/bench'],
  ],
  cli: ['cli/process', 'cli/options', 'cli/config', 'cli/commands'],

  // src/index.ts: what `import 'pgtusk'` gives
  '.': [
    ...['lib', 'db', 'engine', 'tasks', 'chores', 'runners/handler', 'worker', 'client'],
    'database',
    ...['dialects', 'dialects/fetchq', 'dialects/pg-task', 'worker/events'],
  ],
}

/** Packages that run in a browser. A room named here may import no other, and nothing of Node. */
export const browserPackages: Readonly<Record<string, readonly string[]>> = {
  dashboard: ['preact', 'preact/hooks', '@preact/signals', 'uplot'],
}
