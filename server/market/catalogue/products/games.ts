import type { SeededRandom } from '../../random.ts'
import { series, studios, texts, titles } from '../data.ts'
import type { Family, ProductDraft } from '../draft.ts'
import { gameDelivery, somePlatforms } from '../platforms.ts'
import { shopPrice } from '../prices.ts'
import { randomCountry } from '../regions.ts'
import { systemRequirements } from '../requirements.ts'
import { capital, fill, paragraph } from '../titles/text.ts'

type GenreName = keyof typeof texts.genres

const genreNames: readonly GenreName[] = [
  'Action',
  'Adventure',
  'RPG',
  'Strategy',
  'Simulation',
  'Racing',
  'Puzzle',
  'Horror',
  'Sports',
  'Casual',
]
const isGenre = (name: string): name is GenreName => name in texts.genres

const languages = [
  'English',
  'German',
  'French',
  'Spanish',
  'Italian',
  'Polish',
  'Portuguese (Brazil)',
  'Russian',
  'Japanese',
  'Korean',
  'Simplified Chinese',
  'Turkish',
  'Czech',
]
const ageRatings: Readonly<Record<string, readonly string[]>> = {
  Horror: ['PEGI 16', 'PEGI 18'],
  Action: ['PEGI 12', 'PEGI 16', 'PEGI 18'],
  RPG: ['PEGI 12', 'PEGI 16'],
  MMO: ['PEGI 12', 'PEGI 16'],
  Strategy: ['PEGI 7', 'PEGI 12'],
  Adventure: ['PEGI 7', 'PEGI 12', 'PEGI 16'],
}
const editions = [
  { name: 'Deluxe Edition', weight: 40, factor: 1.35 },
  { name: 'Gold Edition', weight: 15, factor: 1.6 },
  { name: 'Ultimate Edition', weight: 18, factor: 1.8 },
  { name: 'Complete Edition', weight: 14, factor: 1.7 },
  { name: "Collector's Edition", weight: 6, factor: 2.1 },
  { name: 'Founders Edition', weight: 7, factor: 1.5 },
] as const
const levels = [
  { weight: 30, euros: [3, 12] },
  { weight: 45, euros: [12, 30] },
  { weight: 25, euros: [35, 62] },
] as const

/** The shared properties of one series' products. */
export interface Series {
  title: string
  genre: GenreName
  /** The games of the series, oldest first. */
  entries: readonly string[]
}

const entriesOf = (random: SeededRandom, title: string): string[] => {
  const count = random.weighted([
    { weight: 50, n: 1 },
    { weight: 28, n: 2 },
    { weight: 15, n: 3 },
    { weight: 7, n: 4 },
  ]).n
  const roman = random.chance(0.3)
  const numbered = (n: number): string =>
    n === 1 ? title : `${title} ${roman ? 'I'.repeat(n).replace('IIII', 'IV') : n}`
  if (count === 2 && random.chance(0.5))
    return [title, `${title}: ${random.pick(titles.subtitles)}`]
  return Array.from({ length: count }, (_, index) => numbered(index + 1))
}

/** Creates a new series with this title. */
export const newSeries = (random: SeededRandom, title: string): Series => ({
  title,
  genre: random.pick(genreNames),
  entries: entriesOf(random, title),
})

/** The series that come first in the catalogue. */
export const knownSeries = (): Series[] =>
  series.map(({ title, genre, entries }) => {
    if (!isGenre(genre)) throw new Error(`Unknown genre ${genre} of ${title}`)
    return { title, genre, entries }
  })

const regionsFor = (random: SeededRandom, platform: string): string[] => {
  const console = platform === 'Xbox' || platform === 'PlayStation' || platform === 'Nintendo'
  const chosen = new Set<string>()
  if (random.chance(console ? 0.45 : 0.85)) chosen.add('Global')
  if (random.chance(console ? 0.5 : 0.3)) chosen.add('Europe')
  if (random.chance(console ? 0.05 : 0.17)) chosen.add('RoW')
  if (random.chance(console ? 0.5 : 0.16)) chosen.add(randomCountry(random).name)
  return chosen.size > 0 ? [...chosen] : ['Global']
}

const oneRegion = (random: SeededRandom, regions: readonly string[]): string =>
  regions.includes('Global') || random.chance(0.6) ? 'Global' : random.pick(regions)

/** The values available to game texts. */
const storyOf = (random: SeededRandom, genre: GenreName): Record<string, string> => {
  const { hero, do: deeds, place, hook } = texts.genres[genre]
  const [third = '', first = '', second = ''] = random.sample(deeds, 3)
  const [hookOne = '', hookTwo = ''] = random.sample(hook, 2)
  const soften = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
  return {
    hero: random.pick(hero),
    place: random.pick(place),
    do: first,
    do_: capital(first),
    do2: second,
    do3: third,
    hook: hookOne,
    hook2: hookTwo,
    hook2l: soften(hookTwo),
  }
}

const addOns = (
  random: SeededRandom,
  base: string,
  story: Record<string, string>,
): { name: string; share: number; description: string }[] => {
  const say = (group: readonly string[], values: Record<string, string> = {}): string =>
    fill(random.pick(group), { ...story, base, ...values })
  const needs = say(texts.dlc.close)
  const expansion = `${base} – ${random.pick(titles.expansions)}`
  const pack = random.pick(titles.packs)
  const all = [
    {
      name: expansion,
      share: 0.45,
      description: `${say(texts.dlc.open, { name: expansion })} ${story['hook'] ?? ''}. ${needs}`,
    },
    {
      name: `${base} – Season Pass`,
      share: 0.55,
      description: `${say(texts.dlc.pass, { count: String(random.between(2, 6)) })} ${needs}`,
    },
    {
      name: `${base} – Season ${random.between(2, 6)}`,
      share: 0.25,
      description: `${say(texts.dlc.pass, { count: String(random.between(3, 8)) })} ${needs}`,
    },
    {
      name: `${base} – ${pack} Pack`,
      share: 0.15,
      description:
        `${say(texts.dlc.pack, { count: String(random.between(4, 18)), pack: pack.toLowerCase() })} ` +
        `${needs}`,
    },
    {
      name: `${base} – Original Soundtrack`,
      share: 0.2,
      description: `${say(texts.dlc.soundtrack, { count: String(random.between(12, 48)) })} ${needs}`,
    },
    {
      name: `${base} – Artbook`,
      share: 0.22,
      description: `${say(texts.dlc.artbook, { count: String(random.between(60, 220)) })} ${needs}`,
    },
  ]
  return random.sample(
    all,
    random.weighted([
      { weight: 45, n: 0 },
      { weight: 30, n: 1 },
      { weight: 15, n: 2 },
      { weight: 10, n: 3 },
    ]).n,
  )
}

const yearsAgo = (random: SeededRandom, fromLast: number): number =>
  fromLast === 0 && random.chance(0.06)
    ? random.between(6, 160)
    : -random.between(20, 900) - fromLast * random.between(500, 1100)

/**
 * Every product of a series: its games on their platforms and in their regions, editions and
 * add-ons.
 */
export const gameFamily = (random: SeededRandom, { genre, entries }: Series): Family => {
  const publisher = random.pick(studios.publishers)
  const developer = fill(random.pick(studios.developerForms), {
    house: random.pick(studios.houses),
  })
  const tags = random.sample(texts.genres[genre].tags, random.between(2, 4))
  const ageRating = random.chance(0.92)
    ? random.pick(ageRatings[genre] ?? ['PEGI 3', 'PEGI 7'])
    : null
  const spoken = ['English', ...random.sample(languages.slice(1), random.between(1, 9))]
  const platforms = somePlatforms(
    random,
    random.weighted([
      { weight: 62, n: 1 },
      { weight: 26, n: 2 },
      { weight: 12, n: 3 },
    ]).n,
  )
  const level = random.weighted(levels)
  const family: Family = []

  entries.forEach((entry, index) => {
    const story = storyOf(random, genre)
    const age = entries.length - 1 - index
    const releaseDay = yearsAgo(random, age)
    const full =
      (level.euros[0] + random.next() * (level.euros[1] - level.euros[0])) *
      (age === 0 ? 1 : 0.55 ** age)
    const text = paragraph(random, [texts.game.open, texts.game.middle, texts.game.close], {
      ...story,
      name: entry,
    })
    const edition = random.chance(0.55) ? random.weighted(editions) : null
    const extras = random.pick(texts.extras)
    const more = addOns(random, entry, story)

    for (const platform of platforms) {
      const regions = regionsFor(random, platform)
      const draft = (
        name: string,
        region: string,
        productType: 'game' | 'dlc',
        euros: number,
        description: string,
      ): ProductDraft => ({
        name,
        platform,
        region,
        productType,
        description,
        ageRating,
        developer,
        publisher,
        releaseDay,
        deliveryType: gameDelivery(random, platform, productType),
        marketPrice: shopPrice(
          random,
          euros * (region === 'Global' ? 1 : 0.75 + random.next() * 0.3),
        ),
        languages: spoken,
        genres: tags,
        systemRequirements:
          productType === 'game' ? systemRequirements(random, platform, level.euros[1]) : [],
      })
      for (const region of regions) family.push(draft(entry, region, 'game', full, text))
      if (edition !== null) {
        const name = `${entry} – ${edition.name}`
        const contents = fill(random.pick(texts.edition), { edition: name, extras })
        family.push(
          draft(
            name,
            oneRegion(random, regions),
            'game',
            full * edition.factor,
            `${contents} ${text}`,
          ),
        )
      }
      for (const { name, share, description } of more)
        family.push(draft(name, oneRegion(random, regions), 'dlc', full * share, description))
    }
  })
  return family
}
