import type { Mutant } from './mutant.ts'
import { places } from './places.ts'
import { defaults, type Place, type Property, types } from './properties.ts'

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A property where it stands for its value: not as an alias, and not as part of a longer name. */
const token = (text: string) =>
  new RegExp(`${/^\w/.test(text) ? '(?<!as )(?<![\\w.$])' : ''}${escaped(text)}(?![\\w(])`, 'g')

const dropped = (place: Place, name: Property) =>
  place.drop?.(name) ?? defaults[name] ?? `null::${types[name]}`

const written = (place: Place, sql: string) => place.write?.(sql) ?? sql

/** The part of a function that a place names, with changes made in it. */
function within(place: Place, change: (part: string) => string): Mutant['edits'] {
  return [[new RegExp(`${escaped(place.from)}[\\s\\S]*?${escaped(place.to)}`), change]]
}

const base = (place: Place) => ({
  function: place.function,
  ...(place.takes === undefined ? {} : { takes: place.takes }),
  ...(place.home === undefined ? {} : { home: place.home }),
  ...(place.doors === undefined ? {} : { doors: place.doors }),
  about: place.about,
})

function drops(place: Place, name: Property): Mutant {
  return {
    ...base(place),
    id: `${place.function}() ${place.what}: drops ${name}`,
    edits: within(place, (part) =>
      part.replace(token(place.spell(name)), () => written(place, dropped(place, name))),
    ),
  }
}

function swaps(place: Place, one: Property, other: Property): Mutant {
  const [a, b] = [place.spell(one), place.spell(other)]
  const mark = '\u0001'
  return {
    ...base(place),
    id: `${place.function}() ${place.what}: swaps ${one} and ${other}`,
    edits: within(place, (part) => {
      // Found one by one: with one of them alone nothing would be swapped.
      const found = [a, b].every((text) => token(text).test(part))
      const swapped = part.replace(token(a), () => mark).replace(token(b), () => a)
      return found ? swapped.replaceAll(mark, b) : part
    }),
  }
}

/** Neighbours of the same type. */
function neighbours({ properties, alone = [] }: Place): [Property, Property][] {
  const byType = new Map<string, Property[]>()
  for (const name of properties.filter((one) => !alone.includes(one))) {
    byType.set(types[name], [...(byType.get(types[name]) ?? []), name])
  }
  return [...byType.values()].flatMap((names) =>
    names.slice(1).map((name, at): [Property, Property] => [names[at] as Property, name]),
  )
}

/** For each place and each property that passes through it: one that drops it, and one that swaps it with a neighbour. */
export const generated: readonly Mutant[] = places.flatMap((place) => [
  ...place.properties.map((name) => drops(place, name)),
  ...neighbours(place).map(([one, other]) => swaps(place, one, other)),
])
