import type { TestEngine } from './test-engine.ts'

/** A worker that serves a queue, with what it can run. */
export const serveQueue = (
  engine: TestEngine,
  {
    id = 'w',
    queue = 'mail',
    slots = 1,
    kinds = ['handler'],
    handlers = ['mail'] as string[] | null,
    from = [1],
    to = [1],
  } = {},
) =>
  engine.rows(
    `select register_worker($1, array[$2], $3, 'host', 7, '1', $4, $5, $6, $7)`,
    id,
    queue,
    slots,
    kinds,
    handlers,
    handlers === null ? null : from,
    handlers === null ? null : to,
  )
