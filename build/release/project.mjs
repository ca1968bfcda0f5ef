import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * @typedef {object} Project What a release is made of.
 * @property {string} root
 * @property {string} name
 * @property {string} version
 * @property {string} tag
 * @property {Record<string, any>} manifest
 * @property {(file: string) => Promise<string | undefined>} read The text of a file, if it is there.
 * @property {(program: string, ...args: string[]) => Promise<string>} run What a program prints, without the last line end.
 */

/** @param {string} root @returns {Promise<Project>} */
export async function openProject(root) {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {
    root,
    manifest,
    name: manifest.name,
    version: manifest.version,
    tag: `v${manifest.version}`,
    read: (file) => readIfThere(join(root, file)),
    run: async (program, ...args) => {
      const { stdout } = await execute(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
      return stdout.trimEnd()
    },
  }
}

/** @param {string} path */
async function readIfThere(path) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Tags of earlier releases, the newest first. @param {Project} project @returns {Promise<string[]>} */
export async function releasedTags({ run, tag }) {
  const tags = await run('git', 'tag', '--list', 'v*', '--sort=-version:refname')
  return tags.split('\n').filter((name) => name !== '' && name !== tag)
}
