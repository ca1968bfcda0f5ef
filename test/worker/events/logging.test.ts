import { describe, expect } from 'vitest'
import type { Level, Logger } from '../../../src/lib/logger.ts'
import { until } from '../../support/until.ts'
import { test } from '../../support/worker.ts'

interface Line {
  readonly level: Level
  readonly message: string
  readonly fields: Record<string, unknown>
}

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** A logger that keeps the lines of these levels, and says which they are. */
function keep(least: Level) {
  const lines: Line[] = []
  const isLevelEnabled = (level: string) => levels.indexOf(level as Level) >= levels.indexOf(least)
  const tell = (level: Level) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } })
  }
  const logger: Logger = {
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
    isLevelEnabled,
  }
  const about = (words: string) => lines.filter(({ message }) => message.includes(words))
  return { lines, logger, about }
}

describe('a worker logs', () => {
  test('each failed attempt at warn, and the last at error, with error, stack and next time', async ({
    engine,
    work,
    allDone,
  }) => {
    const { logger, about } = keep('info')
    const backoff = { kind: 'fixed', base: '1 millisecond' } as const
    const { id } = await engine.enqueue({ queue: 'mail', maxAttempts: 2, backoff })
    const run = () => {
      throw new TypeError('no paper')
    }
    await work({ tasks: { mail: run }, logger })
    await allDone()
    await until(async () => about('failed').length === 2)

    const [first, last] = about('failed')
    expect(first).toMatchObject({
      level: 'warn',
      fields: { task: id, handler: 'mail', queue: 'mail', attempt: 1, maxAttempts: 2 },
    })
    expect(first?.fields['nextAttemptAt']).toBeInstanceOf(Date)
    expect(first?.message).toMatch(
      new RegExp(`^mail \\(task ${id}\\): attempt 1 of 2 failed; next attempt at \\d{4}-`),
    )
    const { err } = (first?.fields ?? {}) as { err: Error }
    expect(err).toBeInstanceOf(TypeError)
    expect(err.message).toBe('no paper')
    expect(err.stack).toContain('logging.test.ts')
    expect(last).toMatchObject({ level: 'error', fields: { attempt: 2 } })
    expect(last?.message).toContain('attempt 2 of 2 failed; the task has failed')
  })

  test('failures whatever was thrown, without its secrets', async ({ engine, work, allDone }) => {
    const { logger, about } = keep('info')
    const odd: Record<string, () => unknown> = {
      text: () => {
        throw 'only a text'
      },
      nothing: () => {
        throw undefined
      },
      hostile: () => {
        const trap = () => {
          throw new Error('do not look')
        }
        throw new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap })
      },
      secret: () => {
        throw new Error('cannot reach postgres://ada:hunter2@db/app with password=hunter2')
      },
    }
    for (const queue of Object.keys(odd)) await engine.enqueue({ queue, maxAttempts: 1 })
    await work({ tasks: odd as never, logger })
    await allDone()
    await until(async () => about('the task has failed').length === 4)

    const messages = Object.fromEntries(
      about('the task has failed').map(({ fields }) => [
        fields['queue'],
        (fields['err'] as Error).message,
      ]),
    )
    expect(messages['text']).toBe('only a text')
    expect(messages['nothing']).toBe('undefined')
    expect(messages['hostile']).toBe('do not look')
    expect(messages['secret']).toContain('cannot reach')
    const all = about('').map(({ message, fields }) => {
      const { err } = fields as { err?: Error }
      return `${message} ${JSON.stringify(fields)} ${err?.message} ${err?.stack}`
    })
    expect(all.join('\n')).not.toContain('hunter2')
  })

  test('a completed task at debug, or at info where you ask for it', async ({
    engine,
    work,
    allDone,
  }) => {
    const quiet = keep('info')
    const loud = keep('debug')
    const asked = keep('info')
    await engine.enqueueMany([{ queue: 'quiet' }, { queue: 'loud' }, { queue: 'asked' }])
    await work({ tasks: { quiet: () => {} }, logger: quiet.logger })
    await work({ tasks: { loud: () => {} }, logger: loud.logger })
    await work({ tasks: { asked: () => {} }, logger: asked.logger, completedLevel: 'info' })
    await allDone()

    await until(async () => loud.about('task completed').length === 1)
    await until(async () => asked.about('task completed').length === 1)
    expect(loud.about('task completed')).toMatchObject([
      { level: 'debug', fields: { queue: 'loud', attempt: 1, durationMs: expect.any(Number) } },
    ])
    expect(asked.about('task completed')).toMatchObject([{ level: 'info' }])
    expect(quiet.about('task completed')).toEqual([])
    expect(quiet.lines.filter(({ level }) => level === 'debug')).toEqual([])
  })

  test('chores at debug', async ({ work }) => {
    const { about, logger } = keep('debug')
    await work({ tasks: { mail: () => {} }, logger, chores: { strategy: 'all' } })
    await until(async () => about('a chore ran').length > 0)
    expect(about('a chore ran')[0]).toMatchObject({
      level: 'debug',
      fields: { chore: expect.any(String), processed: expect.any(Number) },
    })
  })

  test('a level for completed tasks that does not exist: it is refused', async ({ work }) => {
    const options = { tasks: { mail: () => {} }, completedLevel: 'inf' as 'info' }
    await expect(work(options)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: 'Did you mean "info"?',
    })
  })
})
