/** @typedef {import('./project.mjs').Project} Project */

const always = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']
const allowed = /^(dist|sql|src|docs|deploy)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/
const unwanted = /(^|\/)(\.env|\.npmrc|node_modules)(\/|$)|\.(test\.\w+|tsbuildinfo|log|tgz)$/
const mostBytes = 6 * 1024 * 1024

/** Packs for real, which runs `prepack`, and looks at what would be published. @param {Project} project */
export async function checkPackage(project) {
  const { files, size } = await pack(project)
  const missing = [...always, ...entriesOf(project.manifest)].filter(
    (path) => !files.includes(path),
  )
  const foreign = files.filter((path) => !allowed.test(path) || unwanted.test(path))
  return [
    ...missing.map((path) => `${path} is not in the package`),
    ...foreign.map((path) => `${path} does not belong into the package; see "files"`),
    ...(size > mostBytes ? [`it has ${size} bytes; ${mostBytes} is the limit`] : []),
  ]
}

/** @param {Project} project @returns {Promise<{ files: string[], size: number }>} */
async function pack({ run }) {
  const printed = await run('npm', 'pack', '--dry-run', '--json')
  const result = JSON.parse(printed.slice(printed.search(/^[[{]/m)))
  // npm 11 prints a list, npm 12 an object by name.
  const [{ files, size }] = Array.isArray(result) ? result : Object.values(result)
  return { files: files.map((/** @type {{ path: string }} */ { path }) => path), size }
}

/** Every file that the manifest leads to. @param {Record<string, any>} manifest @returns {string[]} */
function entriesOf({ exports = {}, bin = {} }) {
  const paths = []
  const walk = (/** @type {unknown} */ value) => {
    if (typeof value === 'string') paths.push(value.replace(/^\.\//, ''))
    else if (value && typeof value === 'object') for (const part of Object.values(value)) walk(part)
  }
  walk(exports)
  walk(bin)
  return [...new Set(paths)]
}
