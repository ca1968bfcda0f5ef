import { escapeIdentifier } from 'pg'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { createTaskTable } from '../../src/dialects/pg-task/create-task-table.ts'
import { pgTask } from '../../src/dialects/pg-task.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'
import { drained, share, spentSince, startSqlWorker } from './sql-drain.ts'

interface Way {
  readonly name: string
  prepare(stage: Stage): Promise<void>
  /** A statement that enqueues `SELECT 1`; with $1, so many. */
  one(stage: Stage): string
  many(stage: Stage): string
  queues(stage: Stage): readonly string[]
  finish(stage: Stage): Promise<void>
}

const sql: Way = {
  name: 'sql()',
  prepare: async () => {},
  one: ({ subject }) => `select ${escapeIdentifier(subject.schema)}.sql('SELECT 1')`,
  many: ({ subject }) =>
    `select count(${escapeIdentifier(subject.schema)}.sql('SELECT 1')) from generate_series(1, $1::integer)`,
  queues: () => ['sql'],
  finish: async () => {},
}

/** The dialect and its table, each in a schema of its own beside that of the engine. */
const placeOf = ({ subject }: Stage) => ({
  tables: `${subject.schema}_tables`,
  dialect: `${subject.schema}_pgtask`,
})

const table: Way = {
  name: 'a task table',
  async prepare(stage) {
    const { tables, dialect } = placeOf(stage)
    const engineSchema = stage.subject.schema
    await installDialect(stage.admin, { dialect: pgTask, schema: dialect, engineSchema })
    await createTaskTable(stage.admin, { schema: tables, dialectSchema: dialect })
  },
  one: (stage) => `insert into ${placeOf(stage).tables}.task (input) values ('SELECT 1')`,
  many: (stage) =>
    `insert into ${placeOf(stage).tables}.task (input, max) select 'SELECT 1', 9 from generate_series(1, $1::integer)`,
  queues: (stage) => [`pg_task:${placeOf(stage).tables}.task`],
  async finish(stage) {
    const { tables, dialect } = placeOf(stage)
    await stage.admin.query(`drop schema if exists ${tables}, ${dialect} cascade`)
  },
}

/** The dialect is that of the working tree, so an older engine cannot carry it. */
function variant(way: Way, name: string, round: Variant['round']): Variant {
  return {
    name: `${name}: ${way.name}`,
    suits: (subject) => subject.name === 'here',
    prepare: way.prepare,
    round,
    finish: way.finish,
  }
}

function enqueueing(way: Way): Variant {
  return variant(way, 'enqueue one by one', async (stage) => {
    const db = await stage.connections.get('enqueue')
    const meter = await Meter.start(stage.admin, { enqueue: [db] })
    for (let n = 0; n < stage.sizes.singles; n++) await db.query(way.one(stage))
    return meter.stop(stage.sizes.singles)
  })
}

function running(way: Way): Variant {
  return variant(way, 'run', async (stage) => {
    const count = Math.ceil(stage.sizes.tasks / share)
    const db = await stage.connections.get('watch')
    await db.query(way.many(stage), [count])
    const meter = await Meter.start(stage.admin, { watch: [db] })
    const since = new Date()
    const worker = await startSqlWorker(stage, way.queues(stage))
    await drained(stage)
    const figures = await meter.stop(count)
    const databaseMicros = (await spentSince(db, since)) / count
    await worker.stop()
    return { ...figures, databaseMicros, databaseMicrosBy: {} }
  })
}

export const taskTable: Scenario = {
  name: 'task-table',
  shows:
    'SELECT 1 as a row of a task table (dialect pg-task) beside the same by sql(): to enqueue, and to run',
  variants: [enqueueing(sql), enqueueing(table), running(sql), running(table)],
}
