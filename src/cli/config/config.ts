import { type SettingName, settingNamed, settingNames, type ValueOf } from './setting.ts'

/** Where a value comes from, the strongest first. */
export type Source =
  | { readonly from: 'flag'; readonly name: string }
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly name: string }
  | { readonly from: 'default' }

export interface Resolved {
  readonly value: unknown
  readonly source: Source
}

/** Everything that is configured, and who said so. */
export class Config {
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined
  readonly #resolved: ReadonlyMap<SettingName, Resolved>

  constructor(file: string | undefined, resolved: ReadonlyMap<SettingName, Resolved>) {
    this.file = file
    this.#resolved = resolved
  }

  get<Name extends SettingName>(name: Name): ValueOf<Name> {
    return this.resolved(name).value as ValueOf<Name>
  }

  resolved(name: SettingName): Resolved {
    const fallback = { value: settingNamed(name).fallback, source: { from: 'default' } as const }
    return this.#resolved.get(name) ?? fallback
  }

  /** The settings that were given, defaults left out. */
  said(name: SettingName): unknown {
    return this.#resolved.get(name)?.value
  }

  [Symbol.iterator](): Iterator<[SettingName, Resolved]> {
    return settingNames.map((name): [SettingName, Resolved] => [name, this.resolved(name)]).values()
  }
}
