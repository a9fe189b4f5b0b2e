/**
 * Schedules: what happens to the deliveries of a few orders, step by step, as text that a person can
 * read and repeat: `completed partial: deliver 1; resend 1; forged 2 unsigned`.
 */
import { type SeededRandom, seededRandom } from '../market/random.ts'

export const orderKinds = ['completed', 'partial', 'failed'] as const
export type OrderKind = (typeof orderKinds)[number]

/** What can be done with an event, and the variants of each. */
export const variantsOf = {
  /** Sends the delivery, with the same delivery id each time. */
  deliver: [],
  /** Sends the same event under a new delivery id. */
  resend: [],
  /** Sends it, and closes the connection when the answer arrives. */
  lost: [],
  /** Sends the same delivery twice at the same time. */
  pair: [],
  /** Sends the body slowly and reads the answer slowly. */
  slow: [],
  /** Closes the connection in the middle of the body. */
  cut: [],
  /** Kills the handler a share of its usual time after the delivery was sent, and starts it again. */
  kill: ['10', '30', '50', '70', '90', '120'],
  /** Sends the event without a valid signature. */
  forged: ['secret', 'body', 'unsigned', 'time'],
  /** Sends the event with a valid signature whose time is outside the tolerance of 300 s. */
  stale: ['old', 'future'],
  /** Sends an event of a test order, signed correctly. */
  test: [],
  /** Sends `balance.credited`, which isn't about an order. */
  other: [],
} as const satisfies Record<string, readonly string[]>
export type Verb = keyof typeof variantsOf

export type Step = {
  readonly verb: Verb
  /** Index of the order in the schedule. */
  readonly order: number
  readonly variant: string | null
}
export type Schedule = { readonly orders: readonly OrderKind[]; readonly steps: readonly Step[] }

/** Whether a step delivers the order's own event, so that it must be handed on. */
export const isGenuine = ({ verb }: Step): boolean =>
  verb !== 'forged' && verb !== 'stale' && verb !== 'test' && verb !== 'other'

/** Indexes of the orders whose own event is delivered. */
export const genuineOrders = ({ steps }: Schedule): Set<number> =>
  new Set(steps.filter(isGenuine).map(({ order }) => order))

export const hasKill = ({ steps }: Schedule): boolean => steps.some(({ verb }) => verb === 'kill')

const weights: readonly { verb: Verb; weight: number }[] = [
  { verb: 'deliver', weight: 30 },
  { verb: 'resend', weight: 12 },
  { verb: 'pair', weight: 10 },
  { verb: 'lost', weight: 8 },
  { verb: 'forged', weight: 10 },
  { verb: 'stale', weight: 7 },
  { verb: 'cut', weight: 6 },
  { verb: 'test', weight: 5 },
  { verb: 'slow', weight: 3 },
  { verb: 'other', weight: 3 },
]
const kindWeights: readonly { kind: OrderKind; weight: number }[] = [
  { kind: 'completed', weight: 60 },
  { kind: 'partial', weight: 25 },
  { kind: 'failed', weight: 15 },
]

const sizes: readonly { genuine: number; weight: number }[] = [
  { genuine: 1, weight: 50 },
  { genuine: 2, weight: 35 },
  { genuine: 3, weight: 15 },
]
/** A kill takes as long as a start of the handler, so few schedules have one. */
const KILL_SHARE = 0.08

/** Removes the orders that no step is about. */
export function withoutUnused({ orders, steps }: Schedule): Schedule {
  const used = orders.map((_, index) => steps.some((step) => step.order === index))
  const renumbered = used.map((_, index) => used.slice(0, index).filter(Boolean).length)
  return {
    orders: orders.filter((_, index) => used[index]),
    steps: steps.map((step) => ({ ...step, order: renumbered[step.order] ?? 0 })),
  }
}

function stepOf(random: SeededRandom, orders: number, kill: boolean): Step {
  const verb = kill ? 'kill' : random.weighted(weights).verb
  const variants: readonly string[] = variantsOf[verb]
  // Most forged and stale events are about the last order, of which nothing genuine arrives.
  const bait = (verb === 'forged' || verb === 'stale') && random.chance(0.7)
  return {
    verb,
    order: bait ? orders - 1 : random.between(0, Math.max(0, orders - 2)),
    variant: variants.length === 0 ? null : random.pick(variants),
  }
}

/** The schedule number `index` of a seed; `kills`: whether the handler can be killed. */
export function scheduleOf(seed: number, index: number, kills: boolean): Schedule {
  const random = seededRandom(`certify ${seed} ${index}`)
  const { genuine } = random.weighted(sizes)
  const orders = Array.from({ length: genuine + 1 }, () => random.weighted(kindWeights).kind)
  const length = random.between(3, 10)
  const killed = kills && random.chance(KILL_SHARE) ? random.between(0, length - 1) : -1
  const steps = Array.from({ length }, (_, at) => stepOf(random, orders.length, at === killed))
  return withoutUnused({ orders, steps })
}

const stepText = ({ verb, order, variant }: Step): string =>
  [verb, ...(verb === 'test' || verb === 'other' ? [] : [order + 1]), variant ?? []]
    .flat()
    .join(' ')

export const scheduleText = ({ orders, steps }: Schedule): string =>
  `${orders.join(' ')}: ${steps.map(stepText).join('; ')}`

function readStep(text: string, orders: number): Step | null {
  const [verb = '', ...rest] = text.trim().split(/\s+/)
  if (!Object.hasOwn(variantsOf, verb)) return null
  const known = verb as Verb
  const order = known === 'test' || known === 'other' ? 1 : Number(rest.shift())
  const variant = rest.shift() ?? null
  const variants: readonly string[] = variantsOf[known]
  const fits = variant === null ? variants.length === 0 : variants.includes(variant)
  if (!fits || rest.length > 0 || !(order >= 1 && order <= orders)) return null
  return { verb: known, order: order - 1, variant }
}

/** Reads the text of a schedule; null if it isn't one. */
export function readSchedule(text: string): Schedule | null {
  const [head = '', tail = ''] = text.split(':')
  const orders = head.trim().split(/\s+/)
  const kinds = orderKinds.filter((kind) => orders.includes(kind))
  if (kinds.length !== new Set(orders).size) return null
  const steps = tail.split(';').map((step) => readStep(step, orders.length))
  if (steps.includes(null)) return null
  return { orders: orders as OrderKind[], steps: steps.filter((step) => step !== null) }
}
