import { simulateDays } from './simulate/days.ts'
import type { DayResult } from './simulate/day.ts'
import { createTwoTraces } from './simulate/traces.ts'

/** A round is a day. The first days are simulated twice. */
export const defaultRounds = 1000

const REPLAYED = 50

/** `--replay` compares the events of each day, byte for byte, instead of their hashes. */
export const canReplay = true

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  replayed?: number
  /** Simulates each day twice, with one shift, and compares their events. */
  replay?: boolean
}
export type SimulateSoak = {
  lost: number
  twice: number
  wrong: number
  days: number
  /** Days that were simulated a second time, in another order: each must have the same events. */
  replayed: number
  requests: number
  kills: number
  deeds: number
  events: number
}

/**
 * The console and the service in one process, with simulated time, network, scheduler and
 * randomness, so that a seed decides everything that happens. A day has shifts of a busy shop
 * (imports, prices, rules, orders, claims, disputes, changes made offline), a network with every
 * fault, wrong clocks, and kills of the console between any two statements or awaits. In the end the
 * console must agree with the service and both with what people asked for. The seed of day n is the
 * run's seed + n - 1: `--rounds 1 --seed S` repeats one exactly. `--replay` proves it: it simulates
 * each day twice and compares all their events.
 */
export default async function soakSimulate({
  rounds,
  seed,
  log,
  replay = false,
  replayed = replay ? rounds : Math.min(rounds, REPLAYED),
}: Options): Promise<SimulateSoak> {
  const seeds = Array.from({ length: rounds }, (_, index) => seed + index)
  const traces = replay ? createTwoTraces() : null
  const watched = (folder: string | undefined) =>
    folder === undefined ? {} : { traces: folder, shifts: 1 }
  const sums: SimulateSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    days: 0,
    replayed,
    requests: 0,
    kills: 0,
    deeds: 0,
    events: 0,
  }
  const digests = new Map<number, string>()
  const again = seeds.slice(0, replayed).toReversed()
  for await (const day of simulateDays({ seeds: again, ...watched(traces?.first) }))
    digests.set(day.seed, day.digest)
  for await (const day of simulateDays({ seeds, ...watched(traces?.second) })) {
    addDay(sums, day)
    for (const { kind, what } of day.findings) log(`seed ${day.seed}: ${kind}: ${what}`)
    const difference = traces?.difference(day.seed) ?? null
    if (difference !== null || (digests.get(day.seed) ?? day.digest) !== day.digest) {
      sums.wrong += 1
      log(`seed ${day.seed}: another simulation of the same day had other events`)
      if (difference !== null) log(difference)
    }
    if (sums.days % (replay ? 10 : 50) === 0)
      log(
        `day ${sums.days}: ${sums.requests} requests, ${sums.kills} kills; lost ${sums.lost}, ` +
          `twice ${sums.twice}, wrong ${sums.wrong}`,
      )
  }
  traces?.remove()
  return sums
}

function addDay(sums: SimulateSoak, { findings, requests, kills, deeds, events }: DayResult): void {
  for (const { kind } of findings) sums[kind] += 1
  sums.days += 1
  sums.requests += requests
  sums.kills += kills
  sums.deeds += Object.values(deeds).reduce((sum, count) => sum + count, 0)
  sums.events += events
}
