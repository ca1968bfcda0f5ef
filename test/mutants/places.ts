// biome-ignore-all lint/style/noExcessiveLinesPerFile: one table, so that there is one place to retarget.
import { defaults, type Place, type Property, types } from './properties.ts'

const given = Object.keys(types).slice(0, 21) as Property[]
const beside: readonly Property[] = ['created_at', 'iteration', 'attempt', 'submitted_by']
const but = (...left: Property[]) => given.filter((name) => !left.includes(name))

/** All that is stored: the other two are acted on when the task is enqueued. */
const kept = but('on_duplicate', 'window')

/** The plural that names the array of a property. */
const plural = (name: string) => {
  if (['groups', 'tags', 'max_attempts'].includes(name)) return name
  return name === 'priority' ? 'priorities' : `${name}s`
}

/** A property of a record; `window` is a word of SQL. */
const field = (record: string) => (name: Property) =>
  `${record}.${name === 'window' ? '"window"' : name}`

/** Neither the queue nor the name of a key may be null. */
const dropKey = (name: Property) =>
  name === 'queue' || name === 'key' ? `'other'::text` : `null::${types[name]}`

/** A call with named arguments: `p_timeout => p_timeout`. */
const named = { spell: (name: string) => `=> p_${name}`, write: (sql: string) => `=> ${sql}` }

/** Every place in sql/ through which the properties of a task pass. Retarget it when functions move or merge. */
export const places: readonly Place[] = [
  {
    function: 'enqueue',
    what: 'hands over to store_tasks()',
    from: 'row(',
    to: '::new_task',
    properties: given,
    spell: (name) => `p_${name}`,
    about: ['store', 'key'],
    doors: ['single'],
  },
  {
    function: 'enqueue_many',
    takes: 24,
    what: 'hands over to store_tasks()',
    from: 'select row(',
    to: '::new_task',
    properties: given,
    spell: (name) => `p_${plural(name)}[i]`,
    about: ['store', 'key'],
    doors: ['bulk'],
  },
  {
    function: 'read_tasks',
    what: 'reads',
    from: 'jsonb_populate_recordset(',
    to: ')',
    properties: given,
    spell: () => 'p_tasks',
    drop: (name) =>
      `(select jsonb_agg(given - '${name}' order by place) from jsonb_array_elements(p_tasks) with ordinality as each (given, place))`,
    alone: given,
    about: ['store', 'key'],
    doors: ['objects'],
  },
  {
    function: 'store_tasks',
    what: 'stores',
    from: 'select (coalesce(v_row_ids, ids))[task.ordinality]',
    to: 'from unnest(coalesce(v_rows, p_tasks))',
    properties: given,
    spell: field('task'),
    // In brackets: a subscript stands behind the groups.
    drop: (name) => defaults[name] ?? `(null::${types[name]})`,
    about: ['store', 'key'],
  },
  {
    function: 'store_tasks',
    what: 'takes the key of one task',
    from: 'values (v_one.queue',
    to: 'on conflict',
    properties: ['queue', 'key', 'on_duplicate', 'window'],
    spell: field('v_one'),
    drop: dropKey,
    about: ['key'],
  },
  {
    function: 'take_keys',
    what: 'takes the keys of many',
    from: 'select task.queue, task.key',
    to: 'from unnest',
    properties: ['queue', 'key', 'on_duplicate', 'window'],
    spell: field('task'),
    drop: dropKey,
    about: ['key'],
    doors: ['bulk'],
  },
  {
    function: 'enqueue_duplicate',
    what: 'replaces',
    from: 'update tasks',
    to: 'where id',
    properties: ['payload', 'handler', 'version', 'meta', 'priority', 'run_at', 'deadline'],
    spell: (name) => (name === 'run_at' ? 'v_run' : `p_task.${name}`),
    drop: (name) => (name === 'payload' ? 'payload' : `null::${types[name]}`),
    about: ['key'],
  },
  {
    function: 'claim_tasks',
    what: 'hands over',
    from: 'returning tasks.id',
    to: ';',
    properties: [
      ...but('on_duplicate', 'window', 'frees_key', 'max_running', 'backoff', 'retention'),
      'created_at',
      'iteration',
      'attempt',
    ],
    spell: (name) => `tasks.${name}`,
    about: ['claim'],
  },
  {
    function: 'pick_documents',
    home: 'fetchq',
    what: 'hands over',
    from: 'select picked.claim',
    to: 'from claim(',
    properties: ['key', 'payload', 'version', 'priority', 'attempt', 'iteration', 'created_at'],
    spell: (name) => `picked.${name}`,
    about: ['fetchq', 'claim'],
  },
  {
    function: 'end_tasks',
    what: 'writes history',
    from: 'select task.id, task.created_at',
    to: 'from unnest(v_tasks)',
    properties: [...kept, ...beside],
    spell: (name) => `task.${name}`,
    about: ['history', 'end'],
  },
  {
    function: 'retry',
    what: 'brings back',
    from: 'array[row(',
    to: 'p_event',
    properties: [
      ...kept.filter((name) => name !== 'run_at' && name !== 'deadline'),
      'created_at',
      'iteration',
      'submitted_by',
    ],
    spell: (name) => `v_task.${name}`,
    about: ['retry'],
  },
  {
    function: 'engine_task',
    home: 'pgTask',
    what: 'makes a task of a row',
    from: 'v_task.queue :=',
    to: 'return v_task',
    // The payload and the queue are not here but in the row and the table.
    properties: [
      'kind',
      'run_at',
      'deadline',
      'priority',
      'max_running',
      'groups',
      'backoff',
      'meta',
    ],
    spell: (name) => `v_task.${name} :=`,
    drop: (name) => `v_task.${name} := ${defaults[name] ?? 'null'}; perform`,
    alone: given,
    about: ['pg-task'],
  },
  {
    function: 'amend',
    what: 'changes',
    from: 'update tasks',
    to: 'where id = p_id',
    properties: kept.filter(
      (name) => !['queue', 'handler', 'kind', 'key', 'frees_key'].includes(name),
    ),
    spell: (name) => `v_new.${name}`,
    drop: (name) => `v_old.${name}`,
    about: ['amend'],
  },
  {
    function: 'amend_finished',
    what: 'changes',
    from: 'update finished',
    to: 'where id = p_id',
    properties: kept.filter(
      (name) => !['queue', 'handler', 'kind', 'key', 'frees_key'].includes(name),
    ),
    spell: (name) => `v_new.${name}`,
    drop: (name) => `v_old.${name}`,
    about: ['amend'],
  },
  ...(['sql', 'statement'] as const).map(
    (name): Place => ({
      function: name,
      what: 'hands over to enqueue()',
      from: 'p_kind =>',
      to: ';',
      properties: [
        'run_at',
        'timeout',
        'max_attempts',
        'priority',
        'key',
        'on_duplicate',
        'groups',
      ],
      ...named,
      drop: (property) => `null::${types[property]}`,
      about: ['sql'],
    }),
  ),
  {
    function: 'trigger_task',
    what: 'makes a task of a row',
    from: 'select jsonb_strip_nulls',
    to: "jsonb_build_object('payload'",
    properties: [
      'queue',
      'handler',
      'kind',
      'priority',
      'max_attempts',
      'timeout',
      'run_at',
      'window',
      'on_duplicate',
    ],
    spell: (name) => {
      if (name === 'run_at') return `(p_trigger ->> 'delay')`
      return `p_trigger ${['queue', 'kind', 'on_duplicate'].includes(name) ? '->>' : '->'} '${name}'`
    },
    drop: (name) =>
      ['queue', 'kind', 'on_duplicate', 'run_at'].includes(name) ? 'null' : 'null::jsonb',
    alone: ['queue', 'handler', 'kind'],
    about: ['trigger'],
  },
  ...['push_document', 'push_documents'].map(
    (name): Place => ({
      function: name,
      home: 'fetchq',
      what: 'hands over to store_tasks()',
      from: 'v_task.queue :=',
      to: 'v_stored :=',
      properties: ['queue', 'payload', 'kind', 'priority', 'run_at', 'key', 'version'],
      spell: (property) => `v_task.${property} :=`,
      drop: (property) => `v_task.${property} := ${defaults[property] ?? 'null'}; perform`,
      alone: ['queue', 'kind'],
      about: ['fetchq', 'store'],
    }),
  ),
]
