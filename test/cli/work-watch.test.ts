import { describe, expect } from 'vitest'
import { test } from '../support/new-project.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const runsTypeScript = major > 22 || (major === 22 && minor >= 18)

describe('tusk work --watch', () => {
  test('restarts when the module or one that it imports changes, also out of an error', async ({
    project,
  }) => {
    const server = project.start(['start'])
    await server.says('Ctrl-C stops.')
    const greet = `npx tusk task add greet --payload '{"name": "Ada"}' --wait`
    await project.write('words.mjs', `export const hello = 'Hello'`)
    const module = (end: string) =>
      `import { hello } from './words.mjs'\nexport const greet = ({ name }) => hello + ', ' + name + '${end}'`
    await project.write('tasks.mjs', module('.'))
    const worker = project.start(['work', './tasks.mjs', '--watch'])
    await worker.says('Working on greet')
    expect(await project.shell(greet)).toContain('Hello, Ada.')

    await project.write('words.mjs', `export const hello = 'Moin'`)
    await worker.says(/(Working on greet[\s\S]*){2}/)
    expect(await project.shell(greet)).toContain('Moin, Ada.')

    await project.write('tasks.mjs', 'export const greet = (')
    await worker.says('cannot be loaded')
    await project.write('tasks.mjs', module('!'))
    await worker.says(/(Working on greet[\s\S]*){3}/)
    expect(await project.shell(greet)).toContain('Moin, Ada!')

    await worker.stop()
    expect(await project.shell('npx tusk worker list -o json')).not.toContain('"greet"')
    await server.stop()
  })

  test('is refused together with --once', async ({ project }) => {
    await expect(project.shell('npx tusk work ./tasks.mjs --watch --once')).rejects.toThrow(
      '--once and --watch contradict each other\nLeave one of them out.',
    )
  })
})

describe('tusk work with TypeScript', () => {
  test.skipIf(runsTypeScript)(
    'says what it needs where Node cannot run it',
    async ({ project }) => {
      await project.write(
        'tasks.ts',
        'export const greet = (payload: { name: string }) => payload.name',
      )

      await expect(project.shell('npx tusk work ./tasks.ts')).rejects.toThrow(
        `tasks.ts cannot be loaded: Node ${process.versions.node} cannot run TypeScript\nUse Node 22.18 or newer`,
      )
    },
  )

  test.runIf(runsTypeScript)('runs it where Node does', async ({ project }) => {
    const server = project.start(['start'])
    await server.says('Ctrl-C stops.')
    await project.write('tasks.ts', 'export const greet = (given: { name: string }) => given.name')
    const worker = project.start(['work', './tasks.ts'])
    await worker.says('Working on greet')

    expect(
      await project.shell(`npx tusk task add greet --payload '{"name": "Ada"}' --wait`),
    ).toContain('Ada')
    await worker.stop()
    await server.stop()
  })
})
