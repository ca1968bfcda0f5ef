import { execFile } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { dialect, original } from '../documents/stores.ts'
import type { CallSubject } from './call.ts'

const run = promisify(execFile)

/** The engine of the working tree, and of commits, each installed as its own code does it. */
export async function openEngines(
  admin: Client,
  project: string,
  scratch: string,
  refs: readonly string[],
): Promise<CallSubject[]> {
  await migrate(admin, { schema: 'here', roles: false })
  const subjects = [{ name: 'here', schema: 'here', queueOf: (lap: string) => lap }]
  for (const ref of refs) {
    const schema = `at_${ref.replaceAll(/\W/g, '_')}`
    await admin.query(await scriptOfRef(project, ref, join(scratch, schema), schema))
    subjects.push({ name: ref, schema, queueOf: (lap) => lap })
  }
  return subjects
}

/** The dialect over the working tree's engine, and the original. */
export async function openFetchq(admin: Client): Promise<CallSubject[]> {
  await migrate(admin, { schema: 'here', roles: false })
  await dialect('here').install(admin)
  const store = original('calls')
  await store.install(admin)
  return [
    { name: 'dialect', schema: 'here_fq', queueOf: () => 'bench' },
    { name: 'original', schema: 'fetchq', queueOf: () => 'q_calls' },
  ]
}

/** What `migrationSql()` of a commit says: folders of sql/ had other names before. */
async function scriptOfRef(
  project: string,
  ref: string,
  directory: string,
  schema: string,
): Promise<string> {
  await mkdir(directory, { recursive: true })
  await run('git', ['-C', project, 'archive', '-o', `${directory}.tar`, ref])
  await run('tar', ['-x', '-f', `${directory}.tar`, '-C', directory])
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'))
  const tsc = join(project, 'node_modules/.bin/tsc')
  // Types of newer packages may not fit an old commit; what runs is written all the same.
  await run(tsc, ['-p', 'tsconfig.bench.json'], { cwd: directory }).catch(() => {})
  await cp(join(directory, 'sql'), join(directory, 'dist-bench', 'sql'), { recursive: true })
  const program = `const { migrationSql } = await import('./dist-bench/src/db/migrate.js')
    process.stdout.write(await migrationSql({ schema: '${schema}', roles: false }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: directory,
    maxBuffer: 2 ** 26,
  })
  return stdout
}
