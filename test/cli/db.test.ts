import { describe, expect } from 'vitest'
import { tusk } from '../support/cli.ts'
import { launchIn, query, test } from '../support/home.ts'

describe('tusk db', () => {
  test('start leaves a server running that url and status find and stop ends', async ({ home }) => {
    const env = { TUSK_HOME: home }

    const started = await tusk(['db', 'start'], env)
    const again = await tusk(['db', 'start'], env)
    const url = await tusk(['db', 'url'], env)
    const status = await tusk(['db', 'status'], env)
    const stopped = await tusk(['db', 'stop'], env)

    expect(started).toMatchObject({ code: 0, talk: expect.stringContaining('is running on port') })
    expect(again).toMatchObject({ code: 0, talk: expect.stringContaining('runs already') })
    expect(url).toEqual({ code: 0, data: started.data, talk: '' })
    expect(status).toMatchObject({ code: 0, talk: '' })
    expect(JSON.parse(status.data)).toMatchObject([
      { state: 'running', size_bytes: expect.any(Number) },
    ])
    expect(stopped).toMatchObject({
      code: 0,
      data: '',
      talk: expect.stringContaining('is stopped'),
    })
  })

  test('stop ends a server that another command started, and status then says so', async ({
    home,
  }) => {
    const cluster = await launchIn(home)

    const stopped = await tusk(['db', 'stop'], { TUSK_HOME: home })
    const status = await tusk(['db', 'status', '-o', 'table'], { TUSK_HOME: home })

    expect(stopped).toMatchObject({ code: 0, talk: `Postgres (pid ${cluster.pid}) is stopped.\n` })
    expect(status).toMatchObject({ code: 3, data: expect.stringMatching(/^state +stopped$/m) })
    await expect(query(cluster.url, 'select')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('url and status say that nothing runs, and stop has nothing to do', async ({ home }) => {
    const env = { TUSK_HOME: home }
    const hint = 'tusk: the embedded Postgres is not running; start it with: tusk db start\n'

    expect(await tusk(['db', 'url'], env)).toEqual({ code: 3, data: '', talk: hint })
    expect(await tusk(['db', 'status'], env)).toEqual({ code: 3, data: '[]\n', talk: hint })
    expect(await tusk(['db', 'stop'], env)).toMatchObject({ code: 0, data: '' })
  })
})
