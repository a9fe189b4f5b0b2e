import type { SeededRandom } from '../../random.ts'
import { brands, studios, texts } from '../data.ts'
import type { Family } from '../draft.ts'
import { shopPrice } from '../prices.ts'
import { paragraph } from '../titles/text.ts'

type SoftwareKind = keyof typeof brands.software

const kinds: readonly SoftwareKind[] = ['security', 'vpn', 'office', 'creative', 'utility']
const startPrice: Readonly<Record<SoftwareKind, number>> = {
  security: 9,
  vpn: 16,
  office: 24,
  creative: 28,
  utility: 11,
}
const deviceCounts = [1, 3, 5, 10] as const
const yearCounts = [1, 2, 3] as const
const languages = ['English', 'German', 'French', 'Spanish', 'Italian', 'Polish']

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const devicesInText = (count: number): string =>
  count === 1 ? 'one device' : `up to ${count} devices`

/** A program in this year's and last year's version, for several numbers of devices and years. */
export const softwareFamily = (random: SeededRandom, brand: string): Family => {
  const kind = brand === 'Bastion' ? 'security' : random.pick(kinds)
  const program = brand === 'Bastion' ? 'Antivirus' : random.pick(brands.software[kind])
  const maker = random.pick(studios.softwareMakers)
  const versions = kind === 'vpn' ? [''] : random.sample([' 2025', ' 2026'], random.between(1, 2))
  const region = random.weighted([
    { weight: 80, value: 'Global' },
    { weight: 20, value: 'Europe' },
  ]).value
  const platform = kind === 'office' && random.chance(0.4) ? 'Microsoft' : 'Other'

  return versions.flatMap((version) =>
    random.sample(deviceCounts, random.between(1, 3)).flatMap((devices) =>
      random.sample(yearCounts, random.between(1, 2)).map((years) => {
        const name = `${brand} ${program}${version} – ${plural(devices, 'device')}, ${plural(years, 'year')}`
        return {
          name,
          platform,
          region,
          languages,
          productType: 'software' as const,
          deliveryType: random.chance(0.12) ? ('link' as const) : ('key' as const),
          marketPrice: shopPrice(
            random,
            startPrice[kind] * (0.7 + 0.3 * devices ** 0.7) * (0.4 + 0.6 * years),
          ),
          description: paragraph(
            random,
            [texts.software.open[kind], texts.software.middle, texts.software.close],
            {
              name: `${brand} ${program}`,
              devices: devicesInText(devices),
              duration: plural(years, 'year'),
            },
          ),
          genres: [],
          developer: maker,
          publisher: maker,
          releaseDay: null,
          ageRating: null,
          systemRequirements: [
            {
              system: 'Windows',
              requirement: [
                'OS: Windows 10 or newer',
                'Memory: 4 GB RAM',
                `Storage: ${random.between(1, 12)} GB`,
              ],
            },
          ],
        }
      }),
    ),
  )
}
