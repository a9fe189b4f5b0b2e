/** The receiver certificate: many schedules against one handler, and the smallest failures. */
import { awaitedHandler, type Handler, startHandler } from './handler.ts'
import { type Invariant, invariantIds, unfinished, type Violation } from './judge.ts'
import type { Observe } from './observed.ts'
import type { Orders } from './orders.ts'
import {
  genuineOrders,
  hasKill,
  isGenuine,
  type OrderKind,
  type Schedule,
  scheduleOf,
} from './schedule.ts'
import { ANSWER_WITHIN_MS } from './sending.ts'
import { SharedKill } from './shared-kill.ts'
import { type Failure, shrink, withOtherKills } from './shrink.ts'
import { newTally, runTrial, type TrialParts, triesFor } from './trial.ts'

/** Schedules that run beside each other while nothing is killed. */
const LANES = 8
/** Schedules with kills that run beside each other and share each kill. */
const KILL_LANES = 4
/**
 * Schedules after which those with kills run. While the handler starts again, the orders of the
 * next ones are made.
 */
const GROUP = 100
/** Failed schedules after which the others don't run any more. */
const ENOUGH_FAILURES = 12
/** Failures that are shrunk; the others are usually the same. */
const SHRUNK = 3

export type CertifyOptions = {
  readonly url: URL
  /** Shell command that starts the handler; null if a person does. */
  readonly start: string | null
  readonly observe: Observe
  readonly schedules: number
  readonly seed: number
  /** Kills need `start`. */
  readonly kills: boolean
  /** Runs this schedule only. */
  readonly replay?: Schedule
  readonly limitMs?: number
  readonly orders: Orders
  /** Whether the handler may run already, because it was given the variables of these orders. */
  readonly mayRun?: boolean
  /** Ends the certificate after the schedules that are running. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Prints the handler's environment variables for the person who starts it. */
  readonly announce?: (env: Readonly<Record<string, string>>) => void
}

/** `done`: schedules that were run; `failed`: those of them that failed. */
export type Progress =
  | { readonly state: 'running'; readonly done: number; readonly failed: number }
  | { readonly state: 'shrinking' }

export type ShrunkFailure = Failure & {
  /** Number of the schedule in the seed, from 1. */
  readonly number: number
  readonly stepsBefore: number
}
export type Certificate = {
  readonly seed: number
  readonly schedules: number
  readonly failed: number
  readonly deliveries: number
  readonly kills: number
  readonly slowestMs: number
  readonly seconds: number
  readonly invariants: readonly { id: Invariant; checked: number; failed: number }[]
  readonly failures: readonly ShrunkFailure[]
}

type Planned = { readonly number: number; readonly schedule: Schedule }
type Outcome = Planned & Failure

/** The promises that a schedule puts to the test. */
function testedBy({ steps }: Schedule): Set<Invariant> {
  const tested = new Set<Invariant>()
  const genuine = steps.filter(isGenuine)
  for (const { verb } of steps)
    if (verb === 'forged' || verb === 'stale' || verb === 'test') tested.add(verb)
    else tested.add('answered')
  if (genuine.length > 0) tested.add('lost').add('state').add('once')
  const first = [...new Set(genuine.map(({ order }) => order))]
  if (first.some((order, at) => order < (first[at - 1] ?? order))) tested.add('older')
  return tested
}

function countInvariants(run: readonly Outcome[]): Certificate['invariants'] {
  return invariantIds.map((id) => ({
    id,
    checked: run.filter(({ schedule }) => testedBy(schedule).has(id)).length,
    failed: run.filter(({ violations }) => violations.some((one) => one.invariant === id)).length,
  }))
}

/**
 * Whether a schedule failed only because of slow answers. A short pause of the computer, such as a
 * wait for its disk, makes the answers of all lanes late.
 */
const isOnlySlow = ({ violations }: Outcome): boolean =>
  violations.some(({ slow }) => slow === true) &&
  violations.every(({ slow, invariant }) => slow === true || unfinished.has(invariant))

/** The kinds of the orders that a schedule delivers. */
const kindsOf = ({ schedule }: Planned): OrderKind[] => {
  const genuine = genuineOrders(schedule)
  return schedule.orders.filter((_, index) => genuine.has(index))
}

/** Throws only when none runs any more, so that none starts the handler again after its stop. */
async function allSettled(runs: readonly Promise<void>[]): Promise<void> {
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason
}

/**
 * Runs schedules in groups: those without kills beside each other, then the others, a few of which
 * share each kill.
 * Those with slow answers run once more in the same way, and fail if their answers are slow again.
 *
 * @throws the reason of `signal` once the schedules that were running have ended
 */
async function runAll(
  parts: TrialParts,
  schedules: readonly Planned[],
  { signal, onProgress }: Pick<CertifyOptions, 'signal' | 'onProgress'>,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>()
  let broken = false
  const failed = (): number =>
    [...outcomes.values()].filter(({ violations }) => violations.length > 0).length
  const canRun = (): boolean => !broken && signal?.aborted !== true
  const goesOn = (): boolean => canRun() && failed() < ENOUGH_FAILURES
  async function runOne({ number, schedule }: Planned): Promise<void> {
    const violations = await runTrial(parts, schedule).catch((error: unknown) => {
      broken = true
      throw error
    })
    outcomes.set(number, { number, schedule, violations })
    onProgress?.({ state: 'running', done: outcomes.size, failed: failed() })
  }
  async function runGroup(
    group: readonly Planned[],
    later: readonly Planned[],
    mayRun: () => boolean,
  ): Promise<void> {
    const waiting = group.filter(({ schedule }) => !hasKill(schedule))
    await allSettled(
      Array.from({ length: LANES }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          if (mayRun()) await runOne(next)
      }),
    )
    const withKills = group.filter(({ schedule }) => hasKill(schedule))
    parts.kill.wanted = [...withKills.slice(KILL_LANES), ...later].flatMap(kindsOf)
    for (let at = 0; at < withKills.length && mayRun(); at += KILL_LANES)
      await allSettled(withKills.slice(at, at + KILL_LANES).map(runOne))
    parts.kill.wanted = []
  }
  async function run(planned: readonly Planned[], mayRun: () => boolean): Promise<void> {
    for (let at = 0; at < planned.length; at += GROUP) {
      const later = planned.slice(at + GROUP, at + 2 * GROUP)
      await runGroup(planned.slice(at, at + GROUP), later, mayRun)
    }
  }
  onProgress?.({ state: 'running', done: 0, failed: 0 })
  await run(schedules, goesOn)
  await run([...outcomes.values()].filter(isOnlySlow), canRun)
  await run(
    schedules.filter(({ number }) => !outcomes.has(number)),
    goesOn,
  )
  signal?.throwIfAborted()
  return [...outcomes.values()].toSorted((a, b) => a.number - b.number)
}

async function reproduce(
  parts: TrialParts,
  schedule: Schedule,
  signal?: AbortSignal,
): Promise<readonly Violation[]> {
  for (let attempt = 0; attempt < triesFor(schedule); attempt += 1) {
    signal?.throwIfAborted()
    const violations = await runTrial(parts, withOtherKills(schedule, attempt))
    if (violations.length > 0) return violations
  }
  return []
}

/**
 * Shrinks a failure of each broken promise. Schedules that run beside each other share one handler,
 * so a failure counts only if its schedule also fails alone.
 */
async function shrinkFailures(
  parts: TrialParts,
  outcomes: readonly Outcome[],
  signal?: AbortSignal,
): Promise<ShrunkFailure[]> {
  const shrunk = new Map<string, ShrunkFailure>()
  const failed = outcomes
    .filter(({ violations }) => violations.length > 0)
    .toSorted((a, b) => a.schedule.steps.length - b.schedule.steps.length)
  for (const { number, schedule, violations: before } of failed) {
    if (shrunk.size >= SHRUNK || before.every(({ invariant }) => shrunk.has(invariant))) continue
    if (parts.handler.restarts) await parts.handler.restart()
    const violations = await reproduce(parts, schedule, signal)
    if (violations.length === 0) continue
    const small = await shrink({ schedule, violations }, (smaller) =>
      reproduce(parts, smaller, signal),
    )
    const invariant = small.violations[0]?.invariant
    if (invariant !== undefined && !shrunk.has(invariant))
      shrunk.set(invariant, { ...small, number, stepsBefore: schedule.steps.length })
  }
  return [...shrunk.values()]
}

/** What a handler needs to know, as environment variables. */
export const environmentOf = ({ baseUrl, key, secret }: Orders) => ({
  KEYDESK_BASE_URL: baseUrl,
  KEYDESK_API_KEY: key,
  KEYDESK_WEBHOOK_SECRET: secret,
})

async function handlerFor(options: CertifyOptions): Promise<Handler> {
  const env = environmentOf(options.orders)
  if (options.start !== null) return await startHandler(options.url, options.start, env)
  return await awaitedHandler(options.url, () => options.announce?.(env), options)
}

/**
 * Certifies a handler.
 *
 * @throws HandlerError if the handler can't be started or reached
 * @throws ObservationError if it doesn't report its state as documented
 */
export async function certify(options: CertifyOptions): Promise<Certificate> {
  const handler = await handlerFor(options)
  try {
    const { url, observe, orders, limitMs = ANSWER_WITHIN_MS, seed, replay, signal } = options
    const parts: TrialParts = {
      url,
      orders,
      handler,
      observe,
      limitMs,
      tally: newTally(),
      silent: { live: [], test: [] },
      kill: new SharedKill(handler, orders),
    }
    const began = performance.now()
    const kills = options.kills && handler.restarts
    const schedules = Array.from({ length: options.schedules }, (_, at) => ({
      number: at + 1,
      schedule: scheduleOf(seed, at, kills),
    }))
    const outcomes =
      replay === undefined
        ? await runAll(parts, schedules, options)
        : [{ number: 1, schedule: replay, violations: await reproduce(parts, replay, signal) }]
    const { deliveries, slowestMs } = parts.tally
    const seconds = Math.round(performance.now() - began) / 1000
    options.onProgress?.({ state: 'shrinking' })
    return {
      seed,
      schedules: outcomes.length,
      failed: outcomes.filter(({ violations }) => violations.length > 0).length,
      deliveries,
      kills: parts.kill.kills,
      slowestMs,
      seconds,
      invariants: countInvariants(outcomes),
      failures: await shrinkFailures(parts, outcomes, signal),
    }
  } finally {
    await handler.stop()
  }
}
