import { rmSync } from 'node:fs'
import { seeded } from '../../../e2e/support/seeded.ts'
import { simulateDay } from '../sync/day.ts'
import type { Accounts, Beginning } from './beginning.ts'
import { createBook } from './book.ts'
import type { Book } from './book.ts'
import { createSimulatedConsole } from './console.ts'
import type { Ask, Session, SimulatedConsole } from './console.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { judge } from './judge/judge.ts'
import { createKiller, randomKillPoint } from './kills.ts'
import { createSimulatedNetwork } from './network.ts'
import { createCustomers } from './people/customers.ts'
import { partnerDeeds } from './people/partner.ts'
import type { Deed, Person } from './people/person.ts'
import { sellerDeeds } from './people/seller.ts'
import { supportDeeds } from './people/support.ts'
import type { SeededBytes } from './seeded-bytes.ts'
import { startSimulatedService } from './service.ts'
import type { SimulatedService } from './service.ts'
import type { VirtualTime } from './virtual-time.ts'
import { createWeather } from './weather.ts'
import type { WeatherOfDay } from './weather.ts'
import { createWitness } from './witness.ts'
import type { Finding } from './witness.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

const minute = 60_000
const hour = 60 * minute
const HOURS = 24
const SHIFTS = 2
/** The longest shift, in milliseconds. */
const LONGEST_SHIFT_MS = 2 * minute
const LONGEST_PAUSE_MS = 12_000
/** How long a person waits for any result, in milliseconds. */
const LONGEST_DEED_MS = 20 * minute

export type DayResult = {
  seed: number
  findings: Finding[]
  digest: string
  events: number
  requests: number
  kills: number
  deeds: Record<string, number>
  /** The last events, if something was found. */
  log: readonly string[]
}
export type DayParts = {
  time: VirtualTime
  bytes: SeededBytes
  /** A path at which nothing exists yet. */
  folder: string
  beginning: Beginning
  /** Runs of the console in the day, kills not counted. */
  shifts?: number
  show?: (line: string) => void
  /** Called for each finding. */
  found?: (finding: Finding) => void
}

type Running = {
  time: VirtualTime
  below: (limit: number) => number
  book: Book
  log: EventLog
  world: World
  service: SimulatedService
  console: SimulatedConsole
  weather: WeatherOfDay
  killer: ReturnType<typeof createKiller>
  pause: (ms: number) => Promise<void>
  note: (finding: Finding) => void
  unique: (prefix: string) => string
  restarted: () => void
  /** The accounts of the console, and the seller's at the service. */
  accounts: Accounts
  kills: number
}

/** One simulated day, repeatable by its seed. It starts with the same data as all others. */
export async function simulate(seed: number, parts: DayParts): Promise<DayResult> {
  const { time, bytes, folder, beginning, shifts = SHIFTS, show, found } = parts
  const { accounts, secrets } = beginning
  bytes.restart(`day ${seed}`)
  beginning.copyTo(folder)
  const log = createEventLog(time.now, show)
  const book = createBook(beginning.floors)
  const findings: Finding[] = []
  const note = (finding: Finding): void => {
    log.add('finding', finding.kind, finding.what)
    findings.push(finding)
    found?.(finding)
  }
  const service = await startSimulatedService(`${folder}/service`, time, bytes)
  const network = createSimulatedNetwork(time, log, () => service)
  globalThis.fetch = network.fetch as typeof fetch
  const demo = () => service.demo
  const console = createSimulatedConsole({ folder, time, bytes, log, demo, secrets })
  const killer = createKiller({ dataDir: console.dataDir, kill: console.kill })
  const below = seeded(seed)
  const weather = createWeather(seeded(seed ^ 0x5eed))
  const witness = createWitness(time.now, book, note)
  let requests = 0
  let names = 0
  Object.assign(network, {
    decide: (method: string) => weather.decide(method),
    run: console.executing,
    passing: killer.passing,
    served: witness.served,
    receiving: witness.receiving,
    sending: (method: string, path: string, key: string) => {
      requests += 1
      witness.sending(method, path, key)
    },
  })
  const world = createWorld(service)
  const day: Running = {
    time,
    below,
    book,
    log,
    world,
    service,
    console,
    weather,
    killer,
    pause: (ms) => new Promise((resolve) => void time.after(ms, resolve)),
    note,
    unique: (prefix) => `${prefix}${seed}X${(names += 1)}X`,
    restarted: witness.restarted,
    accounts,
    kills: 0,
  }
  try {
    await liveThrough(day, shifts)
    await finish(day)
  } finally {
    killer.arm(null)
    world.close()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    seed,
    findings,
    digest: log.digest(),
    events: log.count(),
    requests,
    kills: day.kills,
    deeds: book.deeds,
    log: findings.length > 0 ? log.last() : [],
  }
}

/** Starts the console, again if it is killed while it starts. */
async function startConsole(day: Running): Promise<Session> {
  for (;;) {
    day.restarted()
    const session = await day.console.start()
    if (session !== null) return session
    day.kills += 1
    await day.pause(1000 + day.below(60_000))
  }
}

/** Shifts with the console, and the rest of the day without it. */
async function liveThrough(day: Running, shifts: number): Promise<void> {
  const { below, console, weather, pause, time } = day
  const customers = createCustomers(day.world, below, day.book, day.accounts.shop)
  for (let shift = 0; shift < shifts; shift += 1) {
    const end = time.now() + minute + below(LONGEST_SHIFT_MS)
    const changing = { on: true }
    const others = Promise.all([
      every(day, changing, 20_000, async () => void weather.change()),
      every(day, changing, 15_000, customers.act),
      every(day, changing, 60_000, async () =>
        console.clock.setBy((below(3) - 1) * below(2 * hour)),
      ),
    ])
    while (time.now() < end) {
      if (below(4) > 0) day.killer.arm(randomKillPoint(below))
      await live(day, end)
      if (console.run() === null) {
        day.kills += 1
        await pause(500 + below(below(2) === 0 ? 2000 : 120_000))
      }
    }
    day.killer.arm(null)
    changing.on = false
    await others
    await console.quit()
    await pause(below((HOURS / shifts - 1) * hour))
  }
}

/** Repeats an action at random intervals. */
async function every(
  { below, pause }: Running,
  while_: { on: boolean },
  mostMs: number,
  act: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await pause(below(mostMs))
    if (!while_.on) return
    await act()
  }
}

/** A person at the console that runs now. */
function personOf(day: Running, ask: Ask): Person {
  const run = day.console.run()
  const isAlive = (): boolean => day.console.run() === run && run !== null
  return { ...day, ...day.accounts, ask, isAlive }
}

/** People work with the console until the end of the shift, or until it is killed. */
async function live(day: Running, end: number): Promise<void> {
  const { ask, ended, use } = await startConsole(day)
  const person = personOf(day, ask)
  const { isAlive } = person
  const trades = [
    shopDeeds(person),
    sellerDeeds(person),
    partnerDeeds(person),
    supportDeeds(person),
  ]
  const shift = use(() => Promise.all(trades.map((deeds) => work(day, isAlive, end, deeds))))
  await Promise.race([ended, shift])
}

/** One person, who does one thing after the other. Each gets a result in time, or a failure. */
async function work(
  { below, pause, time, log, book, note }: Running,
  isAlive: () => boolean,
  end: number,
  deeds: Record<string, Deed>,
): Promise<void> {
  const names = Object.keys(deeds)
  for (;;) {
    await pause(below(LONGEST_PAUSE_MS))
    if (!isAlive() || time.now() > end) return
    const name = names[below(names.length)] ?? ''
    log.add('deed', name)
    book.deeds[name] = (book.deeds[name] ?? 0) + 1
    const since = time.now()
    try {
      await deeds[name]?.()
      if (time.now() - since > LONGEST_DEED_MS)
        note({ kind: 'wrong', what: `${name} takes ${(time.now() - since) / 1000} s` })
    } catch (error) {
      if (isAlive()) throw error
      return
    }
  }
}

/** The actions of the sync soak. */
function shopDeeds(person: Person): Record<string, Deed> {
  const { ask, seller, partner, below, book, isAlive, unique } = person
  const { deed, order, changePrice } = simulateDay({
    ask,
    seller,
    partner,
    below,
    name: unique('D'),
    nextPrice: () => (book.lastPrice += 1),
    note: (action) => {
      if (!isAlive()) return
      if (action.do === 'order') {
        const { externalId } = action
        book.orders.set(externalId, { externalId, productId: '', maxUnitCents: 0 as never })
      } else book.prices.set(action.offerId, null)
    },
    taken: (offerId, cents, kept) => {
      if (isAlive()) book.prices.set(offerId, kept ? cents : null)
    },
  })
  return { anyDeed: deed, anotherDeed: deed, order, changePrice }
}

/** A perfect network and time enough: nothing may stay open. */
async function finish(day: Running): Promise<void> {
  day.weather.heal()
  const { ask, use } = await startConsole(day)
  await day.pause(30_000)
  await use(() => judge({ ...day, ...day.accounts, ask, dataDir: day.console.dataDir() }))
  await day.console.quit()
}
