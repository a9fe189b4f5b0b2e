/** Runs one schedule against the handler, and judges the handler's actions. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Handler } from './handler.ts'
import { judge, type Subject, unfinished, type Violation } from './judge.ts'
import type { Observe, Observed } from './observed.ts'
import type { Announced, Event, Orders } from './orders.ts'
import { genuineOrders, hasKill, isGenuine, type Schedule, type Step } from './schedule.ts'
import { type Answer, forgedMessage, messageOf, send, staleMessage } from './sending.ts'
import type { SharedKill } from './shared-kill.ts'

/** Attempts that the service would still make for an event that wasn't answered with 2xx. */
const MORE_ATTEMPTS = 4
/** How long a handler that answers before its work is done can take until the unit is handed on. */
const SETTLE_MS = 1000
const SETTLE_STEP_MS = 20
/** Answers that the usual time of the handler is taken from. */
const RECENT = 50

export type TrialParts = {
  readonly url: URL
  readonly orders: Orders
  readonly handler: Handler
  readonly observe: Observe
  readonly limitMs: number
  readonly tally: Tally
  readonly silent: SilentOrders
  readonly kill: SharedKill
}

/**
 * Orders that a handler must never record, kept for the next schedule: making one takes longer than
 * everything that a schedule sends.
 */
export type SilentOrders = { readonly live: Announced[]; readonly test: Announced[] }

/** Figures of all trials. */
export type Tally = {
  deliveries: number
  slowestMs: number
  /** The latest times of answers, from which kills are timed. */
  readonly recentMs: number[]
}
export const newTally = (): Tally => ({ deliveries: 0, slowestMs: 0, recentMs: [] })

type Progress = {
  readonly announced: Announced
  /** Number of the step of its first genuine event. */
  reached: number | null
  acknowledged: boolean
  forged: boolean
  resent: number
}

const accepted = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300

class Trial {
  readonly #parts: TrialParts
  readonly #progress: readonly Progress[]
  /** Orders of the test mode whose events were sent. */
  readonly tests: Announced[] = []
  readonly #late: Violation[] = []

  constructor(parts: TrialParts, announced: readonly Announced[]) {
    this.#parts = parts
    this.#progress = announced.map((one) => ({
      announced: one,
      reached: null,
      acknowledged: false,
      forged: false,
      resent: 0,
    }))
  }

  async #send(...given: Parameters<typeof send>): Promise<Answer> {
    const { tally } = this.#parts
    const answer = await send(...given)
    tally.deliveries += 1
    if (answer.status !== null) {
      tally.slowestMs = Math.max(tally.slowestMs, answer.ms)
      tally.recentMs.push(answer.ms)
      if (tally.recentMs.length > RECENT) tally.recentMs.shift()
    }
    return answer
  }

  #plain(event: Event): Promise<Answer> {
    const { url, orders, limitMs } = this.#parts
    return this.#send(url, messageOf(event, orders.secret), 'plain', limitMs)
  }

  /** Sends a genuine event whose answer counts. */
  async #deliver(order: number, event: Event, manner: 'plain' | 'slow' = 'plain'): Promise<void> {
    const { url, orders, limitMs } = this.#parts
    const answer = await this.#send(url, messageOf(event, orders.secret), manner, limitMs)
    const progress = this.#progress[order]
    if (progress !== undefined && accepted(answer)) progress.acknowledged = true
    if (answer.status === null && answer.ms >= limitMs)
      this.#late.push({
        invariant: 'answered',
        order,
        detail: `No answer within ${limitMs / 1000} s.`,
        slow: true,
      })
  }

  /** Kills the handler while it works, at a share of the time that it usually needs. */
  async #kill(event: Event, percent: number): Promise<void> {
    const sorted = this.#parts.tally.recentMs.toSorted((a, b) => a - b)
    const usual = sorted[Math.floor(sorted.length * 0.8)] ?? 5
    await this.#parts.kill.interrupt({
      killAfterMs: (Math.max(2, usual) * percent) / 100,
      send: () => this.#plain(event),
    })
  }

  async #genuineStep({ verb, variant, order }: Step, progress: Progress): Promise<void> {
    const { url, orders } = this.#parts
    const { event } = progress.announced
    if (verb === 'deliver') await this.#deliver(order, event)
    else if (verb === 'slow') await this.#deliver(order, event, 'slow')
    else if (verb === 'pair')
      await Promise.all([this.#deliver(order, event), this.#deliver(order, event)])
    else if (verb === 'resend') {
      progress.resent += 1
      await this.#deliver(order, { ...event, delivery: `${event.delivery}-${progress.resent}` })
    } else if (verb === 'kill') await this.#kill(event, Number(variant))
    else if (verb === 'cut' || verb === 'lost')
      await this.#send(url, messageOf(event, orders.secret), verb)
  }

  async step(step: Step, number: number): Promise<void> {
    const { url, orders } = this.#parts
    const progress = this.#progress[step.order]
    if (progress === undefined) return
    const { event } = progress.announced
    if (isGenuine(step)) {
      progress.reached ??= number
      await this.#genuineStep(step, progress)
    } else if (step.verb === 'forged') {
      progress.forged = true
      await this.#send(url, forgedMessage(event, orders.secret, step.variant))
    } else if (step.verb === 'stale')
      await this.#send(url, staleMessage(event, orders.secret, step.variant))
    else if (step.verb === 'test') {
      const test = this.#parts.silent.test.pop() ?? (await orders.next('test'))
      this.tests.push(test)
      await this.#plain(test.event)
    } else await this.#otherEvent()
  }

  /** An event that isn't about an order must be answered like any other. */
  async #otherEvent(): Promise<void> {
    const answer = await this.#plain(await this.#parts.orders.credited())
    if (!accepted(answer))
      this.#late.push({
        invariant: 'answered',
        order: null,
        detail: `balance.credited was answered with ${answer.status ?? 'nothing'}.`,
      })
  }

  /** Whether the handler had ended on its own; it runs again. */
  async #revive(): Promise<boolean> {
    const ended = await this.#parts.handler.revive()
    if (ended) this.#late.push({ invariant: 'answered', order: null, detail: 'The handler ended.' })
    return ended
  }

  /** A handler that ended refuses connections a little before its end is noticed. */
  async #observe(ids: readonly string[]): Promise<Observed> {
    const until = performance.now() + SETTLE_MS
    for (;;)
      try {
        return await this.#parts.observe(ids)
      } catch (error) {
        if (performance.now() > until) throw error
        if (!(await this.#revive())) await delay(SETTLE_STEP_MS)
      }
  }

  /** The attempts that the service makes until an event is acknowledged. */
  async finish(): Promise<void> {
    await this.#revive()
    for (const [order, progress] of this.#progress.entries()) {
      if (progress.reached === null || this.#late.length > 0) continue
      for (let more = 0; more < MORE_ATTEMPTS && !progress.acknowledged; more += 1)
        await this.#deliver(order, progress.announced.event)
      if (progress.acknowledged || this.#late.length > 0 || (await this.#revive())) continue
      const detail = `Order ${progress.announced.id}: its event is never answered with 2xx.`
      this.#late.push({ invariant: 'answered', order, detail })
    }
  }

  #subjects(): Subject[] {
    const reached = this.#progress.map((one) => one.reached)
    const own = this.#progress.map(({ announced, forged, reached: at }, index): Subject => {
      const newer = reached.slice(index + 1)
      const overtaken = at !== null && newer.some((other) => other !== null && other < at)
      return { index, announced, genuine: at !== null, forged, overtaken }
    })
    const tests = this.tests.map((announced): Subject => ({
      index: null,
      announced,
      genuine: false,
      forged: false,
      overtaken: false,
    }))
    return [...own, ...tests]
  }

  /** Waits for a handler that answers first and works afterwards, then judges it. */
  async verdict(): Promise<Violation[]> {
    const subjects = this.#subjects()
    const ids = subjects.map(({ announced }) => announced.id)
    const until = performance.now() + SETTLE_MS
    for (;;) {
      const found = judge(subjects, await this.#observe(ids))
      const open = found.every(({ invariant }) => unfinished.has(invariant))
      if (found.length === 0 || !open || this.#late.length > 0 || performance.now() > until)
        return [...this.#late, ...found]
      await delay(SETTLE_STEP_MS)
    }
  }
}

async function runSchedule(parts: TrialParts, schedule: Schedule): Promise<Violation[]> {
  const { orders, silent, kill } = parts
  const genuine = genuineOrders(schedule)
  const announced: Announced[] = []
  for (const [index, kind] of schedule.orders.entries()) {
    const kept = genuine.has(index) ? undefined : silent.live.pop()
    announced.push(kept ?? kill.made[kind].shift() ?? (await orders.next(kind)))
  }
  const trial = new Trial(parts, announced)
  for (const [number, step] of schedule.steps.entries()) {
    if (step.verb === 'kill' && !parts.handler.restarts) continue
    await trial.step(step, number)
  }
  await trial.finish()
  const violations = await trial.verdict()
  if (violations.length === 0) {
    silent.live.push(...announced.filter((_, index) => !genuine.has(index)))
    silent.test.push(...trial.tests)
  }
  return violations
}

/** The promises that the handler broke in this schedule. */
export const runTrial = (parts: TrialParts, schedule: Schedule): Promise<Violation[]> =>
  parts.kill.during(() => runSchedule(parts, schedule))

/** How often a schedule is tried when it is searched for a failure: kills and races vary. */
export const triesFor = (schedule: Schedule): number =>
  hasKill(schedule) ? 12 : schedule.steps.some(({ verb }) => verb === 'pair') ? 4 : 1
