import { checkBaseline, checkMigrations } from './baseline.mjs'
import { checkPackage } from './package.mjs'
import { releasedTags } from './project.mjs'

/**
 * @typedef {import('./project.mjs').Project} Project
 * @typedef {'release' | 'dry-run' | 'publish'} Mode
 * @typedef {(project: Project) => Promise<string[]>} Check What is wrong, in sentences.
 */

/** The checks before a release, the cheap ones first. @param {Mode} mode @returns {[string, Check][]} */
export function checksOf(mode) {
  const isTagged = mode === 'publish'
  return [
    ['the tree is clean', checkTree],
    isTagged ? ['the tag is here', checkTag] : ['the branch is main', checkBranch],
    ['the version is new', (project) => checkVersion(project, isTagged)],
    ['the registry has no such version', checkRegistry],
    ['the changelog says what is new', (project) => checkChangelog(project, isTagged)],
    ['the baseline is as it was released', (project) => checkBaseline(project, isTagged)],
    ['migrations are as they were released', checkMigrations],
    ['provenance can be proven', (project) => checkProvenance(project, isTagged)],
    ['the package has what it needs, and nothing else', checkPackage],
  ]
}

/** @type {Check} */
async function checkTree({ run }) {
  const changed = await run('git', 'status', '--porcelain')
  return changed === '' ? [] : [`uncommitted changes:\n${changed.replaceAll(/^/gm, '      ')}`]
}

/** @type {Check} */
async function checkBranch({ run }) {
  const branch = await run('git', 'branch', '--show-current')
  return branch === 'main' ? [] : [`on ${branch || 'no branch'}; run: git switch main`]
}

/** @type {Check} */
async function checkTag({ run, tag }) {
  const here = (await run('git', 'tag', '--points-at', 'HEAD')).split('\n')
  return here.includes(tag) ? [] : [`this commit is not tagged ${tag}`]
}

/** @param {Project} project @param {boolean} isTagged */
async function checkVersion(project, isTagged) {
  const { version, tag } = project
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${version} is not a version`]
  const lock = JSON.parse((await project.read('package-lock.json')) ?? '{}')
  const problems = []
  if (lock.version !== version)
    problems.push(`package-lock.json says ${lock.version}; run: npm install --package-lock-only`)
  const known = await project.run('git', 'tag', '--list', tag)
  if (!isTagged && known !== '') problems.push(`${tag} exists; raise the version in package.json`)
  const [latest] = await releasedTags(project)
  if (latest !== undefined && !isNewer(version, latest.slice(1)))
    problems.push(`${version} is not above ${latest}`)
  return problems
}

/** @param {string} version @param {string} than */
function isNewer(version, than) {
  const [a, b] = [version, than].map((text) => text.split('-', 1)[0].split('.').map(Number))
  const at = a.findIndex((part, index) => part !== b[index])
  if (at >= 0) return a[at] > b[at]
  return than.includes('-') && (!version.includes('-') || version > than)
}

/** @type {Check} */
async function checkRegistry({ run, name, version }) {
  try {
    await run('npm', 'view', `${name}@${version}`, 'version', '--fetch-retries=1')
  } catch (error) {
    const text = String(/** @type {{ stderr?: string }} */ (error).stderr ?? error)
    if (text.includes('E404')) return []
    return [`the registry could not be asked: ${text.split('\n', 1)[0]}`]
  }
  // npm prints nothing for a version that a known package does not have.
  const found = await run('npm', 'view', `${name}@${version}`, 'version')
  return found === '' ? [] : [`${name}@${version} is published already; raise the version`]
}

/** @param {Project} project @param {boolean} isTagged */
async function checkChangelog({ read, version }, isTagged) {
  const text = await read('CHANGELOG.md')
  if (text === undefined) return ['there is no CHANGELOG.md']
  const [, heading = '', body = ''] = /^## (.*)\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? []
  const date = isTagged ? '\\d{4}-\\d\\d-\\d\\d' : '(unreleased|\\d{4}-\\d\\d-\\d\\d)'
  const expected = new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - ${date}$`)
  const problems = []
  if (!expected.test(heading))
    problems.push(
      `the first heading is "${heading}"; write "[${version}] - ${isTagged ? 'the date' : 'unreleased'}"`,
    )
  if (!/^- \S/m.test(body)) problems.push(`its section of ${version} names no change`)
  return problems
}

/** @param {Project} project @param {boolean} isTagged */
async function checkProvenance({ manifest, read }, isTagged) {
  const workflow = (await read('.github/workflows/release.yml')) ?? ''
  const problems = []
  if (manifest.publishConfig?.provenance !== true)
    problems.push('package.json: set publishConfig.provenance to true')
  if (!manifest.repository?.url) problems.push('package.json: repository.url is missing')
  if (!/^\s+id-token: write$/m.test(workflow))
    problems.push('.github/workflows/release.yml: the job needs the permission id-token: write')
  if (isTagged && !process.env['ACTIONS_ID_TOKEN_REQUEST_URL'])
    problems.push('no identity of a workflow: only the workflow of a tag publishes')
  return problems
}
