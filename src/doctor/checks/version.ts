import type { Check } from '../check.ts'
import { askOne } from '../examination.ts'

const oldest = 14
const newest = 18

export const version: Check = {
  name: 'version',
  fine: `Postgres is a version that Tusk is tested on, ${oldest} to ${newest}.`,
  look: async (at) => {
    const { number, text } = await askOne<{ number: number; text: string }>(
      at,
      `select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`,
    )
    const major = Math.floor(number / 10_000)
    const details = { version: text }
    if (major < oldest) {
      const hint = `Upgrade Postgres to ${oldest} or newer.`
      return [{ level: 'problem', message: `Postgres ${text} is too old for Tusk.`, hint, details }]
    }
    if (major <= newest) return []
    const hint = 'Look for a newer version of pgtusk.'
    const message = `Postgres ${text} is newer than what this version of Tusk was tested on.`
    return [{ level: 'notice', message, hint, details }]
  },
}
