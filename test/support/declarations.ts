import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { once } from './built.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the declarations that the package ships, written once per run. */
export function builtDeclarations(): Promise<string> {
  return once('declarations', async (directory) => {
    const tsc = join(checkout, 'node_modules', '.bin', 'tsc')
    const args = ['-p', 'tsconfig.build.json', '--noCheck', '--emitDeclarationOnly']
    await promisify(execFile)(tsc, [...args, '--outDir', directory], { cwd: checkout })
  })
}
