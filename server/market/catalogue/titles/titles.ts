import type { SeededRandom } from '../../random.ts'
import { brands, reserved, series, titles } from '../data.ts'

/** An indexed list of names that is never built in memory. */
interface NameSpace {
  size: number
  at(index: number): string
}

const product = (
  first: readonly string[],
  second: readonly string[],
  join: (a: string, b: string) => string,
): NameSpace => ({
  size: first.length * second.length,
  at: (index) =>
    join(first[index % first.length] ?? '', second[Math.floor(index / first.length)] ?? ''),
})

const compounds = product(titles.compoundStarts, titles.compoundEnds, (a, b) => a + b)

/**
 * No two forms can create the same name. The last form is large enough for a catalogue of any size.
 */
const titleForms = [
  { weight: 36, names: product(titles.adjectives, titles.nouns, (a, b) => `${a} ${b}`) },
  { weight: 20, names: compounds },
  { weight: 10, names: product(titles.collectives, titles.realms, (a, b) => `${a} of ${b}`) },
  { weight: 7, names: product(titles.possessors, titles.belongings, (a, b) => `${a}'s ${b}`) },
  { weight: 7, names: product(titles.adjectives, titles.nouns, (a, b) => `The ${a} ${b}`) },
  { weight: 5, names: product(titles.pairs, titles.pairs, (a, b) => `${a} & ${b}`) },
  {
    weight: 15,
    names: {
      size: compounds.size * titles.nouns.length,
      at: (index: number) =>
        `${compounds.at(index % compounds.size)} ${titles.nouns[Math.floor(index / compounds.size)] ?? ''}`,
    },
  },
]

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** Goes through a name space once, in a random-looking order, and returns undefined at its end. */
const stroll = (space: NameSpace, random: SeededRandom): (() => string | undefined) => {
  let step = Math.floor(space.size * (0.35 + random.next() * 0.3))
  while (greatestCommonDivisor(step, space.size) !== 1) step++
  const start = random.between(0, space.size - 1)
  let walked = 0
  return () => (walked < space.size ? space.at((start + step * walked++) % space.size) : undefined)
}

const taken = new Set([...reserved, ...series.map(({ title }) => title)])

/** "Amber & Amber" or "Iron Iron" would look like a mistake. */
const repeatsItself = (name: string): boolean => {
  const parts = name.toLowerCase().split(/[^a-z]+/)
  return new Set(parts).size < parts.length
}

/**
 * An endless supply of titles for series of games: never the same twice, and never an existing
 * title.
 */
export const titleSource = (random: SeededRandom): (() => string) => {
  let open = titleForms.map(({ weight, names }) => ({ weight, next: stroll(names, random) }))
  return () => {
    for (;;) {
      const form = random.weighted(open)
      const title = form.next()
      if (title === undefined) open = open.filter((other) => other !== form)
      else if (!taken.has(title) && !repeatsItself(title)) return title
    }
  }
}

const brandNames = product(brands.starts, brands.ends, (a, b) => a + b)

/**
 * Invented names of shops and services with one of the given endings, each once. Undefined when all
 * are used.
 */
export const brandSource = (
  random: SeededRandom,
  endings: readonly string[],
): (() => string | undefined) =>
  stroll(
    {
      size: brandNames.size * endings.length,
      at: (index) =>
        brandNames.at(index % brandNames.size) +
        (endings[Math.floor(index / brandNames.size)] ?? ''),
    },
    random,
  )

const onlineGames = ['Online', 'Arena', 'Unbound', 'Frontiers']

/**
 * Names of online games: the known ones first, then invented ones, each once. Undefined when all
 * are used.
 */
export const onlineGameSource = (random: SeededRandom): (() => string | undefined) => {
  const known = brands.online.map((name) => `${name} Online`)
  const coined = stroll(
    {
      size: compounds.size * onlineGames.length,
      at: (index) =>
        `${compounds.at(index % compounds.size)} ${onlineGames[Math.floor(index / compounds.size)] ?? ''}`,
    },
    random,
  )
  return () => known.shift() ?? coined()
}
