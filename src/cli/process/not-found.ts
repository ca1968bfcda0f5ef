import { nearestWord } from '../../lib/nearest-word.ts'

/** Something that a command was asked for is not there. The engine has codes for tasks and schedules. */
export class NotFound extends Error {
  override readonly name = 'NotFound'
  readonly hint: string

  /** @param known what there is, so that the error can suggest the nearest name. */
  constructor(what: string, name: string, known: readonly string[]) {
    super(`there is no ${what} ${name}`)
    const near = nearestWord(name, known)
    this.hint = near === undefined ? `tusk ${what} list shows all.` : `Did you mean ${near}?`
  }
}
