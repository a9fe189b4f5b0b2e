/** Ten scenarios of ordering, each probed over HTTP in the same way at every double. */
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningDouble } from './double.ts'
import { type Answer, codeOf, createShop, field, newReference, type Shop } from './shop.ts'

export type Verdict = { readonly passed: boolean; readonly seen: string }
type Probe = (double: RunningDouble, shop: Shop) => Promise<Verdict>

/** Ends a probe with the reason why it isn't passed. */
class Failed extends Error {}
function must(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Failed(seen)
}
const passed = (seen: string): Verdict => ({ passed: true, seen })

const idOf = ({ body }: Answer): unknown => field(body, 'id')
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'nothing'
/** Its status, and the code of an error. */
const said = (answer: Answer): string =>
  [answer.status, codeOf(answer) ?? []].flat().map(textOf).join(' ')
const cents = (amount: number): number => Math.round(amount * 100)

function accepted(answer: Answer): Answer {
  must(answer.status === 201, `an ordinary order gets ${said(answer)}`)
  return answer
}
function balanceIn(balance: number | null): number {
  must(balance !== null, 'has no balance')
  return balance
}

const deliversKeys: Probe = async ({ shelf }, shop) => {
  for (const qty of [1, 3]) {
    const externalId = newReference()
    const placed = accepted(await shop.place([{ product: shelf.plenty, qty }], { externalId }))
    const final = await shop.settled(placed.body)
    const keys = await shop.keysOf(placed.body)
    must(keys.length === qty, `${qty} ordered, ${keys.length} keys`)
    const status = field(final.body, 'status')
    must(status === 'completed', `the order is ${textOf(status)}`)
    must(
      field(final.body, 'externalId') === externalId && field(final.body, 'id') === idOf(placed),
      'GET answers another order',
    )
  }
  return passed('1 and 3 ordered, 1 and 3 keys, completed')
}

const repeatsSame: Probe = async ({ shelf }, shop) => {
  const lines = [{ product: shelf.plenty, qty: 1 }]
  const named = () => ({ externalId: newReference(), idempotencyKey: newReference() })
  const [one, other] = [named(), named()]
  const first = accepted(await shop.place(lines, one))
  const again = await shop.place(lines, one)
  must(idOf(again) === idOf(first), `the repeat gets ${again.status} and another order`)
  const next = accepted(await shop.place(lines, other))
  must(idOf(next) !== idOf(first), 'another key gets the same order too')
  return passed('the repeat gets the same order, another key another one')
}

const rejectsOtherBody: Probe = async ({ shelf }, shop) => {
  const name = { externalId: newReference(), idempotencyKey: newReference() }
  accepted(await shop.place([{ product: shelf.plenty, qty: 1 }], name))
  const other = await shop.place([{ product: shelf.plenty, qty: 2 }], name)
  must(other.status >= 400, `another body gets ${said(other)}`)
  return passed(said(other))
}

const rejectsPrice: Probe = async ({ shelf: { plenty } }, shop) => {
  const before = balanceIn(await shop.balance())
  const low = await shop.place([{ product: plenty, qty: 1, most: plenty.price - 0.5 }])
  must(codeOf(low) === 'PRICE_CHANGED', `a low maximum gets ${said(low)}`)
  const current = field(low.body, 'error', 'details', 'currentPrice')
  must(current === plenty.price, `the current price is ${textOf(current)}`)
  must(before === (await shop.balance()), 'the rejected order was charged')
  accepted(await shop.place([{ product: plenty, qty: 1 }]))
  return passed(`${said(low)} with the current price`)
}

const rejectsPoor: Probe = async ({ shelf }, shop) => {
  const before = balanceIn(await shop.balance())
  const externalId = newReference()
  const poor = await shop.place([{ product: shelf.dear, qty: 1 }], { externalId })
  must(codeOf(poor) === 'INSUFFICIENT_BALANCE', `the order gets ${said(poor)}`)
  must(before === (await shop.balance()), 'the rejected order was charged')
  must((await shop.countOf(externalId)) === 0, 'the rejected order exists')
  accepted(await shop.place([{ product: shelf.plenty, qty: 1 }]))
  return passed(`${said(poor)}, nothing charged`)
}

const boundsStock: Probe = async ({ shelf: { plenty, scarce } }, shop) => {
  accepted(await shop.place([{ product: plenty, qty: 3 }]))
  const before = balanceIn(await shop.balance())
  const placed = await shop.place([{ product: scarce, qty: 3 }])
  if (placed.status >= 400) {
    must(codeOf(placed) === 'OUT_OF_STOCK', `the order gets ${said(placed)}`)
    must(before === (await shop.balance()), 'the rejected order was charged')
    return passed(said(placed))
  }
  const { body } = await shop.settled(placed.body)
  const delivered = (await shop.keysOf(placed.body)).length
  must(delivered === 1, `one in stock, three ordered: ${delivered} keys`)
  must(field(body, 'status') === 'partially_completed', `it is ${textOf(field(body, 'status'))}`)
  const paid = cents(before) - cents(balanceIn(await shop.balance()))
  must(paid === cents(scarce.price), 'the difference was not credited')
  return passed('delivered in part, the difference credited')
}

const chargesTotal: Probe = async ({ shelf: { plenty } }, shop) => {
  const before = balanceIn(await shop.balance())
  const { body } = accepted(await shop.place([{ product: plenty, qty: 2 }]))
  const fell = cents(before) - cents(balanceIn(await shop.balance()))
  must(fell === cents(2 * plenty.price), `the balance fell by ${fell / 100}`)
  must(field(body, 'total') === 2 * plenty.price, `the total is ${textOf(field(body, 'total'))}`)
  return passed(`the balance fell by ${fell / 100}`)
}

const survivesLoss: Probe = async ({ shelf }, shop) => {
  const name = { externalId: newReference(), idempotencyKey: newReference() }
  const lines = [{ product: shelf.plenty, qty: 1 }]
  await shop.placeAndLose(lines, name)
  const again = accepted(await shop.place(lines, name))
  must(field(again.body, 'externalId') === name.externalId, 'the retry gets another order')
  must((await shop.countOf(newReference())) === 0, 'lists orders that were never placed')
  const count = await shop.countOf(name.externalId)
  must(count === 1, `the retry leaves ${count} orders`)
  return passed('the retry leaves one order')
}

const DAY_MS = 86_400_000
/** A claim can be filed for 7 days; the second one a little later. */
const closesClaims: Probe = async ({ shelf, controls }, shop) => {
  must(controls !== null, 'has no claims and no clock')
  const keys: [string, string][] = []
  for (let count = 0; count < 2; count += 1) {
    const placed = accepted(await shop.place([{ product: shelf.plenty, qty: 1 }]))
    await shop.settled(placed.body)
    keys.push([textOf(idOf(placed)), textOf(field((await shop.keysOf(placed.body))[0], 'id'))])
  }
  const [first = ['', ''], second = ['', '']] = keys
  await controls.advance(6 * DAY_MS)
  const inTime = await controls.claim(...first)
  must(inTime === 201, `after six days ${inTime}`)
  await controls.advance(2 * DAY_MS)
  const late = await controls.claim(...second)
  must(late >= 400, `after eight days ${late}`)
  return passed(`${inTime} after six days, ${late} after eight`)
}

const BURST = 40
const limitsRate: Probe = async (_, shop) => {
  for (const round of [1, 2]) {
    const answers = await Promise.all(
      Array.from({ length: BURST }, () => shop.call('GET', '/balance', undefined, {}, false)),
    )
    const limited = answers.filter(({ status }) => status === 429)
    must(limited.length > 0, `${BURST} requests at once, burst ${round}: no 429`)
    must(limited.length < BURST || round > 1, 'no request at all is allowed')
    const waits = limited.map(({ headers }) => Number(headers.get('retry-after')))
    const longest = Math.max(...waits)
    must(longest > 0, 'the 429 has no Retry-After')
    await delay(longest * 1000)
    const after = await shop.call('GET', '/balance', undefined, {}, false)
    must(after.status === 200, `${after.status} after the wait`)
  }
  return passed(`${BURST} requests at once: 429 with Retry-After, then 200`)
}

/** In the order in which they run: the burst comes last, because it uses up the rate. */
export const scenarios = {
  'delivers the keys ordered': deliversKeys,
  'same key, same body: same order': repeatsSame,
  'same key, another body: rejected': rejectsOtherBody,
  'price above the maximum': rejectsPrice,
  'too little balance': rejectsPoor,
  'out of stock': boundsStock,
  'balance falls by the total': chargesTotal,
  'lost answer, retried': survivesLoss,
  'claim window of seven days': closesClaims,
  'rate limit': limitsRate,
} as const satisfies Record<string, Probe>
export type Scenario = keyof typeof scenarios

/** Probes a double, which must be in its initial state. */
export async function probe(
  double: RunningDouble,
  names: readonly Scenario[],
): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {}
  for (const name of names)
    verdicts[name] = await scenarios[name](double, createShop(double)).catch((error: unknown) => ({
      passed: false,
      seen: error instanceof Error ? error.message : String(error),
    }))
  return verdicts
}
