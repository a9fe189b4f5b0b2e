/**
 * The request rates as documented, computed from the list of all admitted requests; shares no code
 * with the service.
 */

export type Rate = { limit: number; windowMs: number }

const second: Rate = { limit: 20, windowMs: 1000 }
const minute: Rate = { limit: 600, windowMs: 60_000 }
const perMinute = { orders: 120, downloads: 300, uploads: 300 } as const

/**
 * A request as the rates see it: `own` is the endpoint's rate, null if it has none or the key may
 * not call it.
 */
export type Demand = { key: string; account: string; own: keyof typeof perMinute | null }

/** A clock that falls back by more than this was reset, so the counts no longer apply. */
const RESET_MS = 60_000

export class BruteForce {
  #admitted = new Map<string, number[]>()
  #latest = 0

  /** The position of the windows at this clock time: time doesn't run backwards for them. */
  #moment(reading: number): number {
    return Math.max(reading, this.#latest)
  }

  /** Called when the clock was read. */
  see(reading: number): void {
    if (reading < this.#latest - RESET_MS) {
      this.#admitted = new Map()
      this.#latest = reading
    }
    this.#latest = Math.max(reading, this.#latest)
  }

  #within(id: string, at: number, windowMs: number): number {
    const times = this.#admitted.get(id) ?? []
    let first = times.length
    while (first > 0 && (times[first - 1] ?? 0) > at - windowMs) first -= 1
    return times.length - first
  }

  /** Every rate that applies to a request, with the account or key that it counts for. */
  ratesOf({ key, account, own }: Demand): { id: string; rate: Rate }[] {
    const rates = [
      { id: key, rate: second },
      { id: key, rate: minute },
    ]
    return own === null
      ? rates
      : [...rates, { id: `${own} ${account}`, rate: { limit: perMinute[own], windowMs: 60_000 } }]
  }

  /** The rates that reject a request at this clock time. */
  refusing(demand: Demand, reading: number): Rate[] {
    const at = this.#moment(reading)
    return this.ratesOf(demand)
      .filter(({ id, rate }) => this.#within(id, at, rate.windowMs) >= rate.limit)
      .map(({ rate }) => rate)
  }

  admit(demand: Demand, reading: number): void {
    const at = this.#moment(reading)
    for (const id of new Set(this.ratesOf(demand).map((one) => one.id))) {
      const times = this.#admitted.get(id)
      if (times === undefined) this.#admitted.set(id, [at])
      else times.push(at)
    }
  }
}
