/** Kills of the handler, each shared by the schedules that run beside each other. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Handler } from './handler.ts'
import type { Announced, Orders } from './orders.ts'
import type { OrderKind } from './schedule.ts'

/** A delivery that is interrupted. */
type Interrupted = {
  /** Milliseconds from sending it to the kill. */
  readonly killAfterMs: number
  /** Sends it; settles after the kill at the latest. */
  readonly send: () => Promise<unknown>
}
type Waiting = Interrupted & { readonly done: PromiseWithResolvers<void> }

/**
 * Starting the handler again takes longer than everything that a schedule sends. Schedules that run
 * beside each other therefore wait for each other before their kills, and share one.
 */
export class SharedKill {
  readonly #handler: Handler
  readonly #orders: Orders
  /** Orders for later schedules, made while the handler starts again. */
  readonly made: Readonly<Record<OrderKind, Announced[]>> = {
    completed: [],
    partial: [],
    failed: [],
  }
  /** The kinds still to be made, in the order of the schedules. */
  wanted: OrderKind[] = []
  /** Times that the handler was killed. */
  kills = 0
  #running = 0
  #waiting: Waiting[] = []

  constructor(handler: Handler, orders: Orders) {
    this.#handler = handler
    this.#orders = orders
  }

  /** Runs a schedule that may kill; others that run beside it wait for it before they kill. */
  async during<Result>(schedule: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    try {
      // A schedule can begin with its kill: those that start with it are counted first.
      await Promise.resolve()
      return await schedule()
    } finally {
      this.#running -= 1
      this.#killIfAllWait()
    }
  }

  /** Sends a delivery and kills the handler before it answers; settles when it runs again. */
  async interrupt(delivery: Interrupted): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.#waiting.push({ ...delivery, done })
    this.#killIfAllWait()
    await done.promise
  }

  #killIfAllWait(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#running) return
    const waiting = this.#waiting
    this.#waiting = []
    void this.#kill(waiting).then(
      () => waiting.forEach(({ done }) => done.resolve()),
      (error: unknown) => waiting.forEach(({ done }) => done.reject(error)),
    )
  }

  async #kill(deliveries: readonly Interrupted[]): Promise<void> {
    const longest = Math.max(...deliveries.map(({ killAfterMs }) => killAfterMs))
    const sent = deliveries.map(async ({ killAfterMs, send }) => {
      if (killAfterMs < longest) await delay(longest - killAfterMs)
      await send()
    })
    await delay(longest)
    await this.#restart()
    await Promise.all(sent)
    this.kills += 1
  }

  async #restart(): Promise<void> {
    let starting = true
    const makeOrders = async (): Promise<void> => {
      for (let kind = this.wanted.shift(); kind !== undefined; kind = this.wanted.shift()) {
        this.made[kind].push(await this.#orders.next(kind))
        if (!starting) return
      }
    }
    await Promise.all([this.#handler.restart().finally(() => (starting = false)), makeOrders()])
  }
}
