import type { Account } from './account.ts'
import {
  bundledName,
  bundledPackage,
  bundledPackages,
  bundledVersion,
  prepareBundled,
} from './bundled.ts'
import { type Installation, probe } from './installation.ts'
import { findSystem, oldestMajor, systemPlaces } from './system.ts'
import { reasonOf, unavailableError } from './unavailable.ts'

export interface Sources {
  /** Use the programs in this directory and no others. */
  readonly bin?: string | undefined
  /** The unpacked npm package with the programs; null says there is none. */
  readonly bundled?: string | null | undefined
  /** Directories to search for the machine's own Postgres. */
  readonly systemPlaces?: readonly string[] | undefined
}

/** Finds Postgres programs that run here: the ones asked for, else npm's, else the machine's. */
export async function findInstallation(
  sources: Sources,
  stateDirectory: string,
  account: Account | undefined,
): Promise<Installation> {
  if (sources.bin !== undefined) return forced(sources.bin, account)

  const bundled = await tryBundled(sources, stateDirectory, account)
  if ('installation' in bundled) return bundled.installation

  const system = await findSystem(sources.systemPlaces ?? systemPlaces(), account)
  if (system !== undefined) return system

  throw unavailableError(
    `no Postgres to run: ${bundled.reason}, and no Postgres ${oldestMajor} or newer is installed on this machine`,
    bundled.cause,
    bundled.isMissing === true ? installHint() : undefined,
  )
}

/** What to do where npm was configured to leave optional packages out. */
function installHint(): string | undefined {
  if (!bundledPackages.includes(bundledName())) return undefined
  const install = `npm install --save-dev ${bundledName()}@${bundledVersion}`
  return `Run \`${install}\`, or set DATABASE_URL to a Postgres you already have.`
}

async function forced(bin: string, account: Account | undefined): Promise<Installation> {
  try {
    return await probe(bin, account)
  } catch (error) {
    throw unavailableError(`the Postgres in ${bin} does not run: ${reasonOf(error)}`, error)
  }
}

type Tried =
  | { readonly installation: Installation }
  | { readonly reason: string; readonly cause?: unknown; readonly isMissing?: true }

async function tryBundled(
  sources: Sources,
  stateDirectory: string,
  account: Account | undefined,
): Promise<Tried> {
  const packageRoot = sources.bundled === undefined ? bundledPackage() : sources.bundled
  const machine = `${process.platform} ${process.arch}`
  if (packageRoot == null) return { reason: `npm installed none for ${machine}`, isMissing: true }
  try {
    return { installation: await prepareBundled(packageRoot, stateDirectory, account) }
  } catch (error) {
    const reason = `the one npm installed does not run on this ${machine} (${reasonOf(error)})`
    return { reason, cause: error }
  }
}
