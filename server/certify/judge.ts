/** The promises that a handler must keep, and whether it kept them in one schedule. */
import type { Announced } from './orders.ts'
import type { Observed } from './observed.ts'

export const invariants = {
  once: 'Each unit is handed on once',
  lost: 'No unit is lost',
  forged: 'Forged events change nothing',
  stale: 'Stale events change nothing',
  test: 'Test events never count as live',
  answered: 'Genuine events are answered with 2xx within 8 s',
  older: 'An older event is handled after a newer one',
  state: 'The end state equals GET /orders/{id}',
} as const
export type Invariant = keyof typeof invariants
export const invariantIds = Object.keys(invariants) as Invariant[]

export type Violation = {
  readonly invariant: Invariant
  /** Index of the order in the schedule; null for one of the test mode. */
  readonly order: number | null
  readonly detail: string
  /** An answer took too long, which a pause of the computer can cause as well as the handler. */
  readonly slow?: true
}

/** Kinds of violations that a handler which hasn't finished shows, too. */
export const unfinished: ReadonlySet<Invariant> = new Set(['lost', 'older', 'state'])

/** An order of a schedule, and the events sent about it. */
export type Subject = {
  readonly index: number | null
  readonly announced: Announced
  readonly genuine: boolean
  readonly forged: boolean
  /** Whether its first genuine event arrived after that of a newer order. */
  readonly overtaken: boolean
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** What must not have happened about an order without a genuine event. */
function silentViolations(subject: Subject, observed: Observed): Violation[] {
  const { id } = subject.announced
  const units = observed.units.filter(({ order }) => order === id).length
  const state = observed.orders?.find((order) => order.id === id)
  if (units === 0 && state === undefined) return []
  const invariant = subject.index === null ? 'test' : subject.forged ? 'forged' : 'stale'
  const what = units > 0 ? `${units} units were handed on` : `it was recorded as ${state?.status}`
  return [{ invariant, order: subject.index, detail: `Order ${id}: ${what}.` }]
}

function genuineViolations(subject: Subject, observed: Observed): Violation[] {
  const { id, units, status } = subject.announced
  const order = subject.index
  const counts = countsOf(observed.units.filter((unit) => unit.order === id).map((unit) => unit.id))
  const found: Violation[] = []
  const add = (invariant: Invariant, detail: string): void =>
    void found.push({ invariant, order, detail: `Order ${id}: ${detail}` })
  for (const [unit, times] of counts) {
    if (!units.includes(unit)) add('once', `unit ${unit} isn't one of its units.`)
    else if (times > 1) add('once', `unit ${unit} was handed on ${times} times.`)
  }
  const missing = units.filter((unit) => !counts.has(unit))
  const late = subject.overtaken ? 'older' : 'lost'
  if (missing.length > 0) add(late, `${missing.length} of ${units.length} units weren't handed on.`)
  const state = observed.orders?.find((one) => one.id === id)?.status ?? 'not recorded'
  if (missing.length === 0 && observed.orders !== null && state !== status)
    add('state', `it is ${state} at the handler, and ${status} at the service.`)
  return found
}

/** The promises that the handler broke. */
export const judge = (subjects: readonly Subject[], observed: Observed): Violation[] =>
  subjects.flatMap((subject) =>
    subject.genuine ? genuineViolations(subject, observed) : silentViolations(subject, observed),
  )
