import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtPackage } from './built.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)

/** A project of a user's own, outside the checkout, with the package installed from its tarball. */
export interface OutsideProject {
  readonly directory: string
  /** Installs packages of the registry; says why if that cannot be done here. */
  install(...packages: string[]): Promise<void>
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs a program in the project; gives what it wrote to standard output. */
  run(
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<string>
  remove(): Promise<void>
}

/** Undefined when the registry answers, else the reason why nothing can be installed. */
export async function whyNoRegistry(): Promise<string | undefined> {
  try {
    await execute('npm', ['view', 'pg', 'version', '--fetch-retries=0', '--fetch-timeout=20000'])
    return undefined
  } catch (error) {
    return `no registry: ${String((error as Error).message).split('\n', 1)[0]}`
  }
}

/** Packs what is built, and installs it as users get it: without optional packages, which production leaves out. */
export async function openOutsideProject(): Promise<OutsideProject> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-outside-'))
  const packed = join(directory, 'packed')
  await mkdir(packed)
  await cp(await builtPackage(), join(packed, 'dist'), { recursive: true })
  for (const name of ['package.json', 'sql', 'CHANGELOG.md', 'README.md', 'LICENSE']) {
    await cp(join(checkout, name), join(packed, name), { recursive: true })
  }
  const run: OutsideProject['run'] = async (program, args, env = {}) => {
    const { NODE_OPTIONS: _, VITEST: __, ...inherited } = process.env
    try {
      const { stdout } = await execute(program, args, {
        cwd: directory,
        env: { ...inherited, ...env },
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, {
        cause: error,
      })
    }
  }
  const install = async (...packages: string[]) => {
    const flags = ['--omit=optional', '--no-audit', '--no-fund', '--prefer-offline']
    await run('npm', ['install', ...flags, ...packages])
  }
  const tarball = (await run('npm', ['pack', packed, '--ignore-scripts', '--silent'])).trim()
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'outside', private: true, type: 'module' }),
  )
  await install(join(directory, tarball))
  await rm(packed, { recursive: true })
  return {
    directory,
    install,
    run,
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, name)), { recursive: true })
        await writeFile(join(directory, name), text)
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The manifest of this package. */
export async function readManifest(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
}
