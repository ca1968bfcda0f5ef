import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Editors write a file in several steps. */
const quietMs = 100

/** Tells when a file was written, replaced or renamed into its place; watches its folder, because the file itself may go. */
export function watchFile(path: string, onChange: () => void): { close(): void } {
  const name = basename(path)
  let timer: NodeJS.Timeout | undefined
  const watcher: FSWatcher = watch(dirname(resolve(path)), (_event, changed) => {
    if (changed !== null && changed !== name) return
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMs)
  })
  watcher.on('error', () => {})
  return {
    close: () => {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
