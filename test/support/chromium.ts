import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe } from 'vitest'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser of this machine: the one in TUSK_CHROMIUM, else the first on the path; null without one. */
export const chromiumPath = process.env['TUSK_CHROMIUM'] || findOnPath()

/** Like describe, for what needs a browser; where there is none, the report says what is missing. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumPath === null) {
    describe.skip(`${name} (no Chromium on this machine: install one, or set TUSK_CHROMIUM)`, tests)
  } else {
    describe(name, tests)
  }
}

function findOnPath(): string | null {
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const all = names.flatMap((name) => places.map((place) => join(place, name)))
  return all.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
