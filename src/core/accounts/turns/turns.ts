import { latestOf, longAgo, msSince, pause } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { Duty } from '../../context.ts'

export type TurnsParts = {
  clock: Clock
  /** Maximum number of accounts with open files. */
  seats: number
  /** All accounts. */
  ids: () => string[]
  /** Accounts whose files are open, the one opened first in front. */
  opened: () => string[]
  /** Whether the account may work: it has a key that the service hasn't rejected. */
  canWork: (accountId: string) => boolean
  isWorking: (accountId: string) => boolean
  isOpen: (accountId: string) => boolean
  /** How long no request to its service has been queued or sent, in milliseconds. */
  idleMs: (accountId: string) => number
  /** The account that the window shows. */
  isCurrent: (accountId: string) => boolean
  duty: (accountId: string) => Duty
  /** Called when the account's files are opened. */
  onOpen: (accountId: string) => void
  /** Starts the account's background work. */
  wake: (accountId: string) => void
  /** Stops the account's work and closes its files. */
  rest: (accountId: string) => Promise<void>
  report: (where: string, error: unknown) => void
}

/** Seats that turns leave free, so that a person's request opens an account without waiting. */
const FREE_SEATS = 4
const ROUND_MS = 1000
/** The most accounts that start working per round: each opens its files and asks the service. */
const STARTS_PER_ROUND = 2
/** An account without requests for this long has polled everything that was due. */
const QUIET_MS = 2000
/** How long a turn lasts at least, and at most while other accounts wait. */
const LEAST_TURN_MS = 3000
const LONGEST_TURN_MS = 2 * 60_000
/** An account sleeps for at least this long, because its lists were just read. */
const LEAST_SLEEP_MS = 30_000
/** How much earlier an account with unfinished work gets its turn. */
const SOON_FACTOR = 3

type Seat = { uses: number; since: Monotonic; usedAt: Monotonic }
type Sleep = { since: Monotonic; factor: number }

/**
 * Lets any number of accounts share a limited number of open files: while there are more accounts
 * than seats, they work in turns. An account falls asleep after its due polls; its next turn
 * comes sooner the longer it has been asleep. A person's request opens an account's files
 * immediately, and they stay open while the request runs.
 */
export function createTurns(parts: TurnsParts) {
  const { clock, seats, isWorking } = parts
  const taken = new Map<string, Seat>()
  const resting = new Map<string, Promise<void>>()
  const asleep = new Map<string, Sleep>()
  /** Accounts that wait for a seat, one after another. */
  const arriving = new Map<string, Promise<void>>()
  let lastArrival = Promise.resolve()
  let freed = (): void => {}
  const ending = new AbortController()
  let running = false

  function seatOf(accountId: string): Seat {
    const present = taken.get(accountId)
    if (present !== undefined) return present
    const seat: Seat = { uses: 0, since: clock.monotonic(), usedAt: longAgo }
    taken.set(accountId, seat)
    parts.onOpen(accountId)
    return seat
  }
  const openCount = (): number => taken.size + resting.size

  /** Accounts may have been opened by another account's work, or removed. */
  function notice(): void {
    const present = new Set(parts.ids())
    for (const id of taken.keys()) if (!present.has(id)) taken.delete(id)
    for (const id of asleep.keys()) if (!present.has(id)) asleep.delete(id)
    for (const id of [...parts.opened(), ...parts.ids().filter(isWorking)])
      if (present.has(id) && !resting.has(id)) seatOf(id)
  }

  /** @param isUrgent a person waits for the seat */
  function mayRest(accountId: string, seat: Seat, isUrgent: boolean): boolean {
    if (seat.uses > 0 || parts.isCurrent(accountId)) return false
    if (!isWorking(accountId)) return isUrgent || msSince(clock, seat.usedAt) >= LEAST_TURN_MS
    const duty = parts.duty(accountId)
    const age = msSince(clock, seat.since)
    if (duty === 'stay') return false
    if (age >= LONGEST_TURN_MS) return true
    if (duty === 'soon') return false
    return isUrgent || (age >= LEAST_TURN_MS && parts.idleMs(accountId) >= QUIET_MS)
  }
  const nextToRest = (isUrgent: boolean): string | undefined =>
    [...taken]
      .filter(([id, seat]) => mayRest(id, seat, isUrgent))
      .sort(
        ([x, a], [y, b]) =>
          Number(isWorking(x)) - Number(isWorking(y)) ||
          latestOf(a.usedAt, a.since) - latestOf(b.usedAt, b.since),
      )[0]?.[0]

  async function rest(accountId: string): Promise<void> {
    const factor = parts.duty(accountId) === 'soon' ? SOON_FACTOR : 1
    taken.delete(accountId)
    const rested = parts
      .rest(accountId)
      .catch((error: unknown) => parts.report('account turns', error))
      .finally(() => {
        asleep.set(accountId, { since: clock.monotonic(), factor })
        resting.delete(accountId)
        freed()
      })
    resting.set(accountId, rested)
    await rested
  }

  function nextToWake(): string | undefined {
    const now = clock.monotonic()
    let next: { id: string; waitedMs: number } | undefined
    for (const id of parts.ids()) {
      const sleep = asleep.get(id)
      const waitedMs = sleep === undefined ? Infinity : (now - sleep.since) * sleep.factor
      if (waitedMs < LEAST_SLEEP_MS || (next !== undefined && waitedMs <= next.waitedMs)) continue
      if (!isWorking(id) && !resting.has(id) && parts.canWork(id)) next = { id, waitedMs }
    }
    return next?.id
  }
  function wake(accountId: string): void {
    seatOf(accountId).since = clock.monotonic()
    asleep.delete(accountId)
    parts.wake(accountId)
  }

  async function round(): Promise<void> {
    notice()
    const most = Math.max(
      seats - FREE_SEATS,
      [...taken.keys()].filter(isPinned).length + FREE_SEATS,
    )
    for (let started = 0; started < STARTS_PER_ROUND && !ending.signal.aborted;) {
      const next = nextToWake()
      const isFull = openCount() > most || (openCount() === most && next !== undefined)
      const tired = isFull ? nextToRest(false) : undefined
      if (tired !== undefined) await rest(tired)
      else if (next === undefined || openCount() >= most) return
      else {
        wake(next)
        started += 1
      }
    }
  }
  const isPinned = (accountId: string): boolean =>
    parts.isCurrent(accountId) || parts.duty(accountId) === 'stay'

  /** Turns begin with the first account that has no seat. */
  async function run(): Promise<void> {
    running = true
    while (!ending.signal.aborted) {
      await pause(clock, ROUND_MS, ending.signal)
      if (ending.signal.aborted) return
      try {
        await round()
        freed()
      } catch (error) {
        parts.report('account turns', error)
      }
    }
  }

  /** A person may have to wait until another account's turn is over. */
  async function makeRoom(): Promise<void> {
    while (openCount() >= seats && !ending.signal.aborted) {
      const tired = nextToRest(true)
      if (tired !== undefined) await rest(tired)
      else
        await new Promise<void>((resolve) => {
          freed = resolve
        })
    }
  }

  async function enter(accountId: string, waits: boolean): Promise<Seat> {
    for (;;) {
      const settled = resting.get(accountId) ?? arriving.get(accountId)
      if (settled !== undefined) await settled
      else if (taken.has(accountId) || !waits || openCount() < seats) break
      else {
        lastArrival = lastArrival.then(makeRoom)
        arriving.set(accountId, lastArrival)
        await lastArrival
        arriving.delete(accountId)
        break
      }
    }
    const seat = seatOf(accountId)
    seat.uses += 1
    return seat
  }

  async function hold<Result>(
    accountId: string,
    work: () => Result | Promise<Result>,
    waits: boolean,
  ): Promise<Result> {
    const seat = await enter(accountId, waits)
    try {
      return await work()
    } finally {
      seat.uses -= 1
      seat.usedAt = clock.monotonic()
      freed()
    }
  }

  return {
    /** How many accounts can work without turns. */
    most: seats - FREE_SEATS,
    /** Whether the account's files are closed until its next turn or use. */
    isAsleep: (accountId: string): boolean => running && !parts.isOpen(accountId),
    /**
     * Runs a person's request on an account: waits until its files may be opened, and keeps them
     * open during it.
     *
     * @param wakes the request changes something, or the account is on screen
     */
    use: <Result>(
      accountId: string,
      wakes: boolean,
      work: () => Result | Promise<Result>,
    ): Promise<Result> =>
      hold(
        accountId,
        () => {
          if (running && wakes && !isWorking(accountId)) wake(accountId)
          return work()
        },
        true,
      ),
    /** Keeps the files of an account open for work that started elsewhere. It never waits. */
    hold: <Result>(accountId: string, work: () => Result | Promise<Result>): Promise<Result> =>
      hold(accountId, work, false),
    /** Whether there are more accounts than can be open. */
    isRunning: (): boolean => running,
    /** Call it when there are more accounts than seats. */
    begin(): void {
      if (!running) void run()
    },
    end(): void {
      ending.abort()
      freed()
    },
  }
}
export type Turns = ReturnType<typeof createTurns>
