import { simulateDays } from './simulate/days.ts'
import { plantedBugs } from './simulate/planted.ts'
import type { PlantedBug } from './simulate/planted.ts'

/** A round is a bug, in the order of the list. Each has a seed of its own. */
export const defaultRounds = plantedBugs.length

/** A change of the product moves the events of a day: then one of the next days finds the bug. */
const TRIED_SEEDS = 8

type Options = { rounds: number; log: (text: string) => void; bugs?: readonly PlantedBug[] }
export type PlantedSoak = {
  lost: number
  twice: number
  /** Bugs that no day finds. */
  wrong: number
  bugs: number
  /** Bugs that another day than the recorded one finds. */
  moved: number
}

/**
 * Plants one bug after another into the console or the service of a simulated day (see simulate.ts),
 * which must find it.
 */
export default async function soakPlanted({
  rounds,
  log,
  bugs = plantedBugs.slice(0, rounds),
}: Options): Promise<PlantedSoak> {
  const sums: PlantedSoak = { lost: 0, twice: 0, wrong: 0, bugs: bugs.length, moved: 0 }
  for (const bug of bugs) {
    const found = await findBug(bug)
    if (found === null) sums.wrong += 1
    else if (found.seed !== bug.seed) sums.moved += 1
    log(`${bug.name}: ${found === null ? 'not found' : `seed ${found.seed}: ${found.what}`}`)
  }
  return sums
}

/** The first day that finds a bug, from the recorded seed on. */
async function findBug(bug: PlantedBug): Promise<{ seed: number; what: string } | null> {
  const seeds = Array.from({ length: TRIED_SEEDS }, (_, index) => bug.seed + index)
  for await (const { seed, findings } of simulateDays({ seeds, bug })) {
    const [first] = findings
    if (first !== undefined) return { seed, what: `${first.kind}: ${first.what}` }
  }
  return null
}
