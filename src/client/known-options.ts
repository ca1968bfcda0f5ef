import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { On } from './on.ts'

/** Where the options of a method stand among its arguments, and their names. Both are checked against its signature. */
type MethodOptions<Arguments extends readonly unknown[]> = {
  readonly [Place in LastPlace<Arguments>]: KnownOptions<NonNullable<Arguments[Place]>>
}

type LastPlace<Arguments extends readonly unknown[]> = Arguments extends readonly [
  unknown,
  ...infer Rest,
]
  ? Rest['length'] & keyof Arguments
  : never

// biome-ignore lint/suspicious/noExplicitAny: any method of any class is accepted here.
type Method = (...given: any[]) => unknown

/** Every method whose last argument may be a transaction, with its options. */
export type NounOptions<Noun> = {
  readonly [Name in keyof Noun as Noun[Name] extends Method
    ? TakesOn<Required<Parameters<Noun[Name]>>> extends true
      ? Name
      : never
    : never]: Noun[Name] extends Method ? MethodOptions<Required<Parameters<Noun[Name]>>> : never
}

type TakesOn<Arguments extends readonly unknown[]> = Arguments extends readonly [
  ...unknown[],
  infer L,
]
  ? 'on' extends keyof L
    ? true
    : false
  : false

export const on: KnownOptions<On> = { on: true }

/** Wraps an object so that its methods reject options that do not exist. */
export function refusingUnknown<Noun extends object>(
  owner: string,
  noun: Noun,
  options: NounOptions<Noun>,
): Noun {
  for (const [name, places] of Object.entries(options)) {
    const [[place, known] = ['0', {}]] = Object.entries(places as Record<string, object>)
    const method = (noun as Record<string, Method>)[name] as Method
    const guarded = (...given: unknown[]) => {
      requireOptions(`${owner}.${name}()`, given[Number(place)] as object, known as never)
      return method.apply(noun, given)
    }
    Object.defineProperty(noun, name, { value: guarded })
  }
  return noun
}
