import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtDashboard } from './built.ts'
import { test as base } from './home.ts'
import { type InstalledProject, installProject } from './installed-project.ts'
import { until } from './until.ts'

/** A command of the project that runs until it is stopped. */
export interface RunningCommand {
  /** All that it printed so far, on both streams. */
  readonly talk: string
  says(words: string | RegExp): Promise<void>
  stop(): Promise<number | null>
}

/** A folder of a new user, in which `npx tusk` is the built command. */
export interface NewProject {
  readonly folder: string
  write(name: string, text: string): Promise<void>
  /** Runs a line as it stands, in a shell; gives what it printed, and fails when it fails. */
  shell(line: string): Promise<string>
  start(args: readonly string[]): RunningCommand
}

interface ProjectFixtures {
  installed: InstalledProject
  project: NewProject
}

/** As a person has it who installed the package: real processes, and a cluster of its own. */
export const test = base.extend<ProjectFixtures>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
    async ({}, use) => {
      const installed = await installProject()
      await cp(await builtDashboard(), join(installed.directory, 'dist', 'dashboard'), {
        recursive: true,
      })
      await use(installed)
      await installed.remove()
    },
    { scope: 'file' },
  ],
  project: async ({ installed, home }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tusk-new-'))
    const main = join(installed.directory, 'dist', 'cli', 'main.js')
    const bin = join(folder, 'node_modules', '.bin')
    await mkdir(bin, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{}')
    const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`
    await writeFile(join(bin, 'tusk'), script, { mode: 0o755 })
    const env = { PATH: process.env['PATH'], HOME: folder, TUSK_HOME: home, TUSK_HTTP_PORT: '0' }
    const running: ChildProcess[] = []
    await use({
      folder,
      write: (name, text) => writeFile(join(folder, name), text),
      shell: (line) => runLine(line, folder, env),
      start: (args) => {
        const child = spawn(process.execPath, [main, ...args], { cwd: folder, env })
        running.push(child)
        return follow(child)
      },
    })
    for (const child of running) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  },
})

/** The indented lines under a title of what a command printed; data on its other stream may come in between. */
export function linesUnder(title: string, talk: string): string[] {
  const after = talk.split(new RegExp(`^${title}.*\n`, 'm'))[1] ?? ''
  const block = (after.split('\n\n')[0] ?? '').split('\n')
  return block.filter((line) => line.startsWith('  ')).map((line) => line.trim())
}

function follow(child: ChildProcess): RunningCommand {
  let talk = ''
  let code: number | null | undefined
  const hear = (text: string) => {
    talk += text
  }
  child.stdout?.setEncoding('utf8').on('data', hear)
  child.stderr?.setEncoding('utf8').on('data', hear)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (given) => {
      code = given
      resolve(given)
    })
  })
  const has = (words: string | RegExp) =>
    typeof words === 'string' ? talk.includes(words) : words.test(talk)
  return {
    get talk() {
      return talk
    },
    says: async (words) => {
      await until(async () => has(words) || code !== undefined)
      if (!has(words)) throw new Error(`it ended with ${code} and never said ${words}: ${talk}`)
    },
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function runLine(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', line], { cwd, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr)
      else reject(new Error(`${line}\n${stdout}\n${stderr}`, { cause: error }))
    })
  })
}
