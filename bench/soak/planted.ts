import { simulateDays } from './simulate/days.ts'
import { plantedBugs } from './simulate/planted.ts'
import type { PlantedBug } from './simulate/planted.ts'
import { createTwoTraces } from './simulate/traces.ts'

/** A round is a bug, in the order of the list. Each has a seed of its own. */
export const defaultRounds = plantedBugs.length

/** `--replay` simulates each day that found a bug twice more and compares the events. */
export const canReplay = true

/** A change of the product moves the events of a day: then one of the next days finds the bug. */
const TRIED_SEEDS = 60

type Options = {
  rounds: number
  log: (text: string) => void
  bugs?: readonly PlantedBug[]
  replay?: boolean
}
export type PlantedSoak = {
  lost: number
  twice: number
  /** Bugs that no day finds, and days that end otherwise the second time. */
  wrong: number
  bugs: number
  /** Bugs that another day than the recorded one finds. */
  moved: number
  /** Days with a finding that were simulated twice more, with the same events byte for byte. */
  replayed: number
}

/**
 * Plants one bug after another into the console or the service of a simulated day (see simulate.ts),
 * which must find it within {@link TRIED_SEEDS} days.
 */
export default async function soakPlanted({
  rounds,
  log,
  bugs = plantedBugs.slice(0, rounds),
  replay = false,
}: Options): Promise<PlantedSoak> {
  const sums: PlantedSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    bugs: bugs.length,
    moved: 0,
    replayed: 0,
  }
  for (const bug of bugs) {
    const found = await findBug(bug)
    if (found === null) {
      sums.wrong += 1
      log(`${bug.name}: not found in ${TRIED_SEEDS} days from seed ${bug.seed}`)
      continue
    }
    const { seed, what } = found
    if (seed !== bug.seed) sums.moved += 1
    log(`${bug.name}: seed ${seed}, day ${seed - bug.seed + 1}: ${what}`)
    if (!replay) continue
    const difference = await differenceOf(bug, seed)
    if (difference === null) sums.replayed += 1
    else {
      sums.wrong += 1
      log(`${bug.name}: another simulation of seed ${seed} had other events: ${difference}`)
    }
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

/** Simulates a day twice until its first finding; returns the first different events. */
async function differenceOf(bug: PlantedBug, seed: number): Promise<string | null> {
  const traces = createTwoTraces()
  try {
    for (const folder of [traces.first, traces.second])
      for await (const { findings } of simulateDays({ seeds: [seed], bug, traces: folder }))
        if (findings.length === 0) return 'nothing was found'
    return traces.difference(seed)
  } finally {
    traces.remove()
  }
}
