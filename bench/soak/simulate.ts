import { simulateDays } from './simulate/days.ts'
import type { DayResult } from './simulate/day.ts'
import { createTwoTraces } from './simulate/traces.ts'

/** A round is a day. The first days are simulated twice. */
export const defaultRounds = 1000

const REPLAYED = 50

/** `--replay` compares the events of each day, byte for byte, instead of their hashes. */
export const canReplay = true

/** A stopped run returns the sums of its complete days. */
export const canStop = true

/** Days that are simulated twice are compared after each group of this size. */
const GROUP = 50
const REPORTED_EVERY = 10

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  replayed?: number
  /** Simulates each day twice, with one shift, and compares their events. */
  replay?: boolean
  stop?: AbortSignal
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
  stop,
}: Options): Promise<SimulateSoak> {
  const sums: SimulateSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    days: 0,
    replayed: 0,
    requests: 0,
    kills: 0,
    deeds: 0,
    events: 0,
  }
  const traces = replay ? createTwoTraces() : null
  const daysOf = (seeds: readonly number[], folder: string | undefined) =>
    simulateDays({
      seeds,
      ...(folder !== undefined && { traces: folder, shifts: 1 }),
      ...(stop !== undefined && { stop }),
    })
  for (let first = 0; first < rounds; first += GROUP) {
    const seeds = Array.from(
      { length: Math.min(GROUP, rounds - first) },
      (_, at) => seed + first + at,
    )
    const digests = new Map<number, string>()
    for await (const day of daysOf(seeds, traces?.first)) {
      digests.set(day.seed, day.digest)
      addDay(sums, day)
      for (const { kind, what } of day.findings) log(`seed ${day.seed}: ${kind}: ${what}`)
      if (sums.days % REPORTED_EVERY === 0) log(progressOf(sums))
    }
    const again = seeds.slice(0, Math.max(0, replayed - first)).toReversed()
    for await (const { seed: same, digest } of daysOf(again, traces?.second)) {
      sums.replayed += 1
      const difference = traces?.difference(same) ?? null
      if (difference === null && digests.get(same) === digest) continue
      sums.wrong += 1
      log(`seed ${same}: another simulation of the same day had other events`)
      if (difference !== null) log(difference)
    }
    log(progressOf(sums))
    if (stop?.aborted === true) break
  }
  traces?.remove()
  return sums
}

const progressOf = ({
  days,
  replayed,
  requests,
  kills,
  lost,
  twice,
  wrong,
}: SimulateSoak): string =>
  `day ${days}: ${replayed} simulated twice, ${requests} requests, ${kills} kills; ` +
  `lost ${lost}, twice ${twice}, wrong ${wrong}`

function addDay(sums: SimulateSoak, { findings, requests, kills, deeds, events }: DayResult): void {
  for (const { kind } of findings) sums[kind] += 1
  sums.days += 1
  sums.requests += requests
  sums.kills += kills
  sums.deeds += Object.values(deeds).reduce((sum, count) => sum + count, 0)
  sums.events += events
}
