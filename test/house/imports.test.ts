import { describe, expect, test } from 'vitest'
import { type Import, importsOf, readImports, roomOf } from './read-imports.ts'
import { browserPackages, rooms } from './rooms.ts'

const imports = readImports()
const between = imports.filter(({ room, targetRoom }) => targetRoom && targetRoom !== room)

describe('the imports of src/', () => {
  test('are found', () => {
    expect(imports.length).toBeGreaterThan(2_000)
    expect(between.length).toBeGreaterThan(500)
  })

  test('follow the table of rooms', () => {
    expect(imports.flatMap((each) => faultOf(each) ?? [])).toEqual([])
  })

  test('form no cycle between rooms', () => {
    expect(roomsInCycles()).toEqual([])
  })

  test('use every line of the table', () => {
    const used = new Set(
      between.flatMap(({ room, target, targetRoom }) =>
        [target, targetRoom].map((other) => `${room} imports ${other}`),
      ),
    )
    const listed = Object.entries(rooms).flatMap(([room, others]) =>
      others.map((other) => `${room} imports ${nameIn(other)}`),
    )

    expect(listed.filter((line) => !used.has(line))).toEqual([])
    expect(listed.filter((line, at) => listed.indexOf(line) < at)).toEqual([])
  })

  test('come from the rooms of the table, and from each of them', () => {
    const lived = new Set(imports.map(({ room }) => room))

    expect(lived).toEqual(new Set(Object.keys(rooms)))
  })
})

describe('an import that the table does not allow', () => {
  test.each([
    ['db/listen.ts', `import { call } from '../engine/call.ts'`, 'may import lib and nothing else'],
    ['lib/bell.ts', `export * from '../db/retry.ts'`, 'may import no other room'],
    ['engine/call.ts', `await import('../client/tusk.ts')`, 'may import lib and db'],
    ['dashboard/api.ts', `import { task } from '../http/schemas/task.ts'`, 'only by `import type`'],
    ['client/tusk.ts', `import { dialects } from '../dialects/dialects.ts'`, 'may import lib'],
    ['dashboard/api.ts', `import pg from 'pg'`, 'runs in the browser'],
    ['dashboard/api.ts', `import { join } from 'node:path'`, 'runs in the browser'],
  ])('is found in %s: %s', (file, text, rule) => {
    expect(importsOf(file, text).map(faultOf)).toEqual([expect.stringContaining(rule)])
  })

  test.each([
    ['engine/call.ts', `import { Bell } from '../lib/bell.ts'`],
    ['dashboard/api.ts', `import type { Task } from '../http/schemas/task.ts'`],
    ['database/migrate-database.ts', `import { upgrade } from '../dialects/upgrade-dialects.ts'`],
    ['dashboard/api.ts', `import { h } from 'preact'`],
    ['db/listen.ts', `import pg from 'pg'`],
  ])('is none in %s: %s', (file, text) => {
    expect(importsOf(file, text).map(faultOf)).toEqual([undefined])
  })
})

/** Why an import is not allowed, in a sentence; undefined if it is. */
function faultOf({ file, room, target, targetRoom, isTypeOnly }: Import): string | undefined {
  const start = `src/${file} imports ${targetRoom ? `src/${target}` : target}, but ${room}`
  if (targetRoom === undefined) {
    const packages = browserPackages[room]
    if (packages === undefined || packages.includes(target)) return undefined
    return `${start} runs in the browser and may import ${list(packages)} only`
  }
  const allowed = rooms[room] ?? []
  const entry = allowed.find((each) => [target, targetRoom].includes(nameIn(each)))
  if (targetRoom === room || (entry !== undefined && (isTypeOnly || entry === nameIn(entry))))
    return undefined
  if (entry !== undefined) return `${start} may import ${nameIn(entry)} only by \`import type\``
  return allowed.length === 0
    ? `${start} may import no other room (test/house/rooms.ts)`
    : `${start} may import ${list(allowed)} and nothing else of ours (test/house/rooms.ts)`
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en').format(words)
}

/** The room or file that an entry of the table names. */
function nameIn(entry: string): string {
  return entry.replace('type:', '')
}

/** Rooms that lead back to themselves, or to such rooms: what is left once all that lead nowhere are taken away. */
function roomsInCycles(): readonly string[] {
  let left = Object.keys(rooms)
  for (;;) {
    const leading = left.filter((room) =>
      rooms[room]?.some((entry) => left.includes(roomNamedBy(entry))),
    )
    if (leading.length === left.length) return left
    left = leading
  }
}

function roomNamedBy(entry: string): string {
  const name = nameIn(entry)
  return Object.hasOwn(rooms, name) ? name : roomOf(name)
}
