import type { TestEngine } from './test-engine.ts'

interface Running {
  readonly id: string
  readonly claim: string
}

/** The verbs of durable tasks, as tests call them from SQL. */
export function durableVerbs(engine: TestEngine) {
  return {
    suspend: (task: Running, ...waits: readonly object[]) =>
      engine.rows(
        `select name, kind, state, child::text, output, error from suspend($1, $2, $3)`,
        task.id,
        task.claim,
        JSON.stringify(waits),
      ),
    signal: (id: string, name: string, payload: unknown = null) =>
      engine.rows(
        'select signal($1::bigint, $2::text, $3::jsonb)',
        id,
        name,
        JSON.stringify(payload),
      ),
    signalKey: (queue: string, key: string, name: string, payload: unknown = null) =>
      engine.rows(
        'select signal($1::text, $2::text, $3::text, $4::jsonb)',
        queue,
        key,
        name,
        JSON.stringify(payload),
      ),
    save: async (task: Running, name: string, output: unknown = null, state = 'done') =>
      engine.rows(
        'select save_steps($1, $2, $3, $4::jsonb[], null, $5)',
        [task.id],
        [task.claim],
        [name],
        [JSON.stringify(output)],
        [state],
      ),
    spawn: async (task: Running, children: Readonly<Record<string, object>>): Promise<string[]> => {
      const rows = await engine.rows(
        'select child::text from spawn($1, $2, $3, $4)',
        task.id,
        task.claim,
        Object.keys(children),
        JSON.stringify(Object.values(children)),
      )
      return rows.map((row) => String(Reflect.get(row, 'child')))
    },
    steps: (id: string) =>
      engine.rows(
        'select name, kind, state, attempt, output from steps where task = $1 order by place',
        id,
      ),
  }
}
