// Writes what is not JavaScript into the built package: the texts of sql/, the version, and the code of the heartbeat
// thread with all it imports. So an application can be bundled into one file, and nothing has to be copied beside it.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))

/** @param {string} dist The folder that the compiler wrote into. */
export async function embedFiles(dist) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await write(join(dist, 'lib/packaged-version.js'), 'packagedVersion', version)
  await write(join(dist, 'db/packaged-sql.js'), 'sqlFiles', await readSql())
  const thread = await bundleThread(join(root, 'src/worker/leases/heartbeat-thread.js'))
  await write(join(dist, 'worker/leases/packaged-thread.js'), 'threadCode', thread)
}

/** @param {string} file @param {string} name @param {unknown} value */
async function write(file, name, value) {
  await writeFile(file, `export const ${name} = ${JSON.stringify(value)}\n`)
}

/** @returns {Promise<Record<string, string>>} */
async function readSql() {
  const folder = join(root, 'sql')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql'))
  const texts = await Promise.all(
    names.map(async (name) => [
      name.replaceAll('\\', '/'),
      (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n'),
    ]),
  )
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A thread that starts from a text is CommonJS. @param {string} entry */
async function bundleThread(entry) {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      write: false,
      minify: true,
      target: 'node20',
      rollupOptions: { external: ['pg-native'], output: { format: 'cjs' } },
    },
  })
  const { output } = Array.isArray(built) ? built[0] : built
  if (output.length !== 1) throw new Error('the heartbeat thread is more than one file')
  return output[0].code
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await embedFiles(join(root, 'dist'))
