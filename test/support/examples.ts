import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtPackage } from './built.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** The examples, compiled and beside a build of the package, so that they import it as users do. */
export interface Examples {
  /** Runs one to its end in a process of its own; gives what it said. Rejects when it fails. */
  run(name: string, env: NodeJS.ProcessEnv): Promise<string>
  remove(): Promise<void>
}

/** Every folder in examples/ that has a main.ts. */
export async function listExamples(): Promise<string[]> {
  const entries = await readdir(join(checkout, 'examples'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

export async function buildExamples(): Promise<Examples> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-examples-'))
  await linkPackages(join(directory, 'node_modules'))
  const tsc = (...args: string[]) =>
    run(process.execPath, [join(checkout, 'node_modules/typescript/bin/tsc'), ...args], {
      cwd: checkout,
    })
  await copyFile(join(checkout, 'package.json'), join(directory, 'package.json'))
  await symlink(join(checkout, 'sql'), join(directory, 'sql'))
  await cp(await builtPackage(), join(directory, 'dist'), { recursive: true })
  await tsc('-p', 'tsconfig.examples.json', '--outDir', directory)
  await copyScripts(directory)
  return {
    run: async (name, env) => {
      const file = join(directory, 'examples', name, 'main.js')
      const { stdout } = await run(process.execPath, [file], {
        env: { PATH: process.env['PATH'], ...env },
        timeout: 280_000,
      })
      return stdout
    },
    remove: () => rm(directory, { recursive: true }),
  }
}

/** What examples are made of besides TypeScript. */
async function copyScripts(directory: string): Promise<void> {
  const files = await readdir(join(checkout, 'examples'), { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.sh'))) {
    await copyFile(join(checkout, 'examples', file), join(directory, 'examples', file))
  }
}

/** All packages but the optional ones: so the examples show that they are not needed. */
async function linkPackages(directory: string): Promise<void> {
  const packages = join(checkout, 'node_modules')
  await mkdir(directory)
  for (const name of await readdir(packages)) {
    if (name.startsWith('.') || name === '@opentelemetry') continue
    await symlink(join(packages, name), join(directory, name))
  }
}
