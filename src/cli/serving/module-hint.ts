/** What to do about a module that Node could not load, by what it said. */
export function moduleHint(path: string, error: unknown): string {
  const { code } = error as { code?: unknown }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && isTypeScript(path)) return needsNewerNode
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return onlyStripsTypes
  if (code === 'ERR_MODULE_NOT_FOUND' && isTypeScript(path)) return needsExtensions
  return 'Run it with node to see the whole error.'
}

/** The error of Node says "Unknown file extension", which names no cause. */
export function moduleFault(path: string, error: unknown): string {
  const { code } = error as { code?: unknown }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && isTypeScript(path))
    return `Node ${process.versions.node} cannot run TypeScript`
  return error instanceof Error ? error.message : String(error)
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path)
}

const needsNewerNode = [
  'Use Node 22.18 or newer, which runs TypeScript;',
  'or install tsx and run: NODE_OPTIONS="--import tsx" npx tusk work …;',
  'or compile it and name the JavaScript file.',
].join(' ')

const onlyStripsTypes = [
  'Node only removes types. Write it without enums, namespaces and parameter properties,',
  'or install tsx and run: NODE_OPTIONS="--import tsx" npx tusk work …',
].join(' ')

const needsExtensions =
  'In TypeScript that Node runs itself, imports name the file with its extension: import { b } from "./b.ts"'
