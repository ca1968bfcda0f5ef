import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { startProcess, test } from '../support/processes.ts'
import { until } from '../support/until.ts'

describe('tusk work', () => {
  test('that an operator drains finishes its tasks and ends its process well', {
    timeout: 120_000,
  }, async ({ engine, schema, build, onTestFinished }) => {
    const module = join(build, 'tasks.mjs')
    await writeFile(
      module,
      `export const slow = async () => {
         console.log('begin')
         await new Promise((done) => setTimeout(done, 2_000))
         return 'finished'
       }`,
    )
    const { id } = await engine.enqueue({ queue: 'slow', handler: 'slow' })
    const late = await engine.enqueue({ queue: 'slow', handler: 'slow', delay: '1 hour' })
    const worker = startProcess([join(build, 'dist/cli/main.js'), 'work', module], {
      DATABASE_URL: inject('pgUrl'),
      TUSK_SCHEMA: schema,
    })
    onTestFinished(() => worker.send('SIGKILL'))
    await worker.says('begin')

    await until(() => engine.value('select exists (select from worker)'))
    await engine.rows('select drain_worker(id) from workers')

    expect(await worker.ended).toEqual({ code: 0, signal: null })
    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'finished' })
    expect(await engine.task(late.id)).toMatchObject({ state: 'scheduled' })
    expect(await engine.rows('select from workers')).toEqual([])
  })
})
