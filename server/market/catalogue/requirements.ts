import type { SeededRandom } from '../random.ts'
import type { ProductDraft } from './draft.ts'

const computers = new Set([
  'Steam',
  'GOG',
  'Epic',
  'EA App',
  'Ubisoft Connect',
  'Battle.net',
  'Rockstar',
  'Microsoft',
])

/**
 * System requirements of a game on a computer; empty for consoles. `demand` is its usual full price
 * in euros: more expensive games need more.
 */
export const systemRequirements = (
  random: SeededRandom,
  platform: string,
  demand: number,
): ProductDraft['systemRequirements'] => {
  if (!computers.has(platform)) return []
  const memory = demand > 40 ? 16 : demand > 20 ? 8 : 4
  const storage = random.between(2, demand > 40 ? 120 : 40)
  const windows = [
    'OS: Windows 10, 64-bit',
    `Processor: ${memory > 8 ? 'six' : 'four'} cores, ${random.pick(['2.8', '3.0', '3.2', '3.6'])} GHz`,
    `Memory: ${memory} GB RAM`,
    `Graphics: ${memory / 2} GB, DirectX ${memory > 4 ? 12 : 11}`,
    `Storage: ${storage} GB`,
  ]
  const others =
    platform === 'Steam' || platform === 'GOG'
      ? random.sample(['macOS', 'Linux'], random.between(0, 2))
      : []
  return [
    { system: 'Windows', requirement: windows },
    ...others.map((system) => ({
      system,
      requirement: [
        `OS: ${system === 'macOS' ? 'macOS 13' : 'a distribution with glibc 2.31'}`,
        `Memory: ${memory} GB RAM`,
        `Storage: ${storage} GB`,
      ],
    })),
  ]
}
