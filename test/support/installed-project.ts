import { spawn } from 'node:child_process'
import { chmod, cp, lstat, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledPackage } from '../../src/embedded/bundled.ts'
import { builtPackage } from './built.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

/** The built project with its dependencies, as npm leaves it when it blocks install scripts. */
export interface InstalledProject {
  readonly directory: string
  /** The package with the Postgres programs, its links not made. */
  readonly bundled: string
  /** Starts the real command in a process of its own. */
  tusk(args: readonly string[], options?: ProcessOptions): TuskProcess
  remove(): Promise<void>
}

interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number | undefined
}

export interface TuskProcess {
  readonly pid: number
  /** Resolves when stdout has these words; rejects when the process ends without saying them. */
  says(words: string): Promise<void>
  send(signal: NodeJS.Signals): void
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

export async function installProject(): Promise<InstalledProject> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-project-'))
  await chmod(directory, 0o755)
  await cp(await builtPackage(), join(directory, 'dist'), { recursive: true })
  for (const path of ['package.json', 'sql', ...(await runtimePackages())]) {
    await cp(join(checkout, path), join(directory, path), { recursive: true, filter: isNeeded })
  }
  return {
    directory,
    bundled: join(directory, relative(checkout, bundledPackage() ?? checkout)),
    tusk: (args, options = {}) => start(join(directory, 'dist/cli/main.js'), args, options),
    remove: () => rm(directory, { recursive: true }),
  }
}

/** Links are not made, and what no program reads is not worth the copying. */
async function isNeeded(path: string): Promise<boolean> {
  return !/\.(d\.[cm]?ts|map|md)$/.test(path) && !(await lstat(path)).isSymbolicLink()
}

async function runtimePackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const wanted = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  const paths = wanted.map(([path]) => path)
  const found = await Promise.all(
    paths.map((path) => lstat(join(checkout, path)).catch(() => null)),
  )
  return paths.filter((path, at) => found[at] !== null && basename(path) !== '.bin')
}

function start(
  file: string,
  args: readonly string[],
  { env = {}, uid }: ProcessOptions,
): TuskProcess {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.on('close', (code) => done({ code, ...said }))
  })
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => said.stdout.includes(words) && resolve()
      child.stdout.on('data', look)
      child.on('close', () => reject(new Error(`never said ${words}: ${said.stderr}`)))
      look()
    })
  return { pid: child.pid ?? 0, says, send: (signal) => void child.kill(signal), ended }
}
