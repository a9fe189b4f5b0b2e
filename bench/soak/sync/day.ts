import type { RouterClient } from '@orpc/server'
import { cents } from '../../../server/api/money.ts'
import type { Core } from '../../../src/core/create-core.ts'
import type { OrderAttempt } from '../../../src/contract/order-records.ts'

export type Ask = RouterClient<Core['router']>
export type SoakAccounts = { ask: Ask; seller: string; partner: string }

/** A person's action, reported before it is done: the basis of the final comparison. */
export type PersonAction =
  | { do: 'order'; externalId: string }
  | { do: 'price'; offerId: string; cents: number }

type Options = SoakAccounts & {
  below: (limit: number) => number
  /** Called before an action starts. */
  note: (deed: PersonAction) => void
  /**
   * Reports the result of a price change: set directly or queued in the outbox; false: rejected or
   * unknown.
   */
  taken?: (offerId: string, cents: number, kept: boolean) => void
  /** A price that no other change of this soak uses, in cents. */
  nextPrice: () => number
  /** Makes order ids distinct from those of other runs. */
  name: string
}

/** Whether it is a failure that people see; anything else is a defect. */
const isTold = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'FAILED'
/** The result of a request; null if the console reported a failure. */
export async function attempt<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (!isTold(error)) throw error
    return null
  }
}

/** Approves the entries of the outbox, in the state last read. */
export async function sendOutbox({ ask, seller }: SoakAccounts): Promise<number> {
  const { rows } = await ask.outbox.list({ accountId: seller, window: { offset: 0, limit: 500 } })
  const entryIds = rows
    .filter(
      ({ verdict, state }) => state === 'waiting' && verdict !== 'gone' && verdict !== 'already',
    )
    .map(({ entryId }) => entryId)
  if (entryIds.length > 0) await attempt(ask.outbox.send({ accountId: seller, entryIds }))
  return rows.length
}

/** Downloads the keys of every order whose delivered units aren't stored yet. */
export async function downloadAllKeys({ ask, partner }: SoakAccounts): Promise<void> {
  const { rows } = await ask.orders.list({ accountId: partner, window: { offset: 0, limit: 500 } })
  for (const { orderId } of rows.filter(
    ({ deliveredUnits, keysKept }) => deliveredUnits > keysKept,
  ))
    await attempt(ask.orders.downloadKeys({ accountId: partner, orderId, acknowledged: true }))
}

/**
 * A person's random actions in a day: prices and states of offers, entries of the outbox, orders
 * and their keys.
 */
export function simulateDay({ below, note, taken, nextPrice, name, ...accounts }: Options) {
  const { ask, seller, partner } = accounts
  let ordered = 0
  async function changePrice(): Promise<void> {
    const { rows } = await ask.offers.list({ accountId: seller })
    const offer = rows[below(Math.max(1, Math.min(8, rows.length)))]
    if (offer === undefined) return
    const price = nextPrice()
    note({ do: 'price', offerId: offer.offerId, cents: price })
    const row = await attempt(
      ask.offers.change({
        accountId: seller,
        offerId: offer.offerId,
        priceCents: cents(price),
        ...(below(2) === 0 && { expectedPriceCents: offer.priceCents }),
      }),
    )
    taken?.(offer.offerId, price, row !== null)
  }
  async function changeStatus(): Promise<void> {
    const { rows } = await ask.offers.list({ accountId: seller })
    const offer = rows[8 + below(Math.max(1, Math.min(8, rows.length - 8)))]
    if (offer !== undefined)
      await attempt(
        ask.offers.change({
          accountId: seller,
          offerId: offer.offerId,
          status: offer.status === 'active' ? 'paused' : 'active',
        }),
      )
  }
  async function order(): Promise<OrderAttempt | null> {
    const { rows } = await ask.catalogue.search({
      accountId: partner,
      filter: { inStockOnly: true },
    })
    const cheap = rows
      .filter(
        ({ deliveryType, priceCents, qty }) =>
          deliveryType === 'key' && priceCents !== null && (qty ?? 0) > 3,
      )
      .toSorted((a, b) => (a.priceCents ?? 0) - (b.priceCents ?? 0))
    const product = cheap[below(Math.max(1, Math.min(3, cheap.length)))]
    if (product === undefined) return null
    const externalId = `${name}-${(ordered += 1)}`
    note({ do: 'order', externalId })
    return attempt(
      ask.orders.place({
        accountId: partner,
        externalId,
        lines: [
          {
            productId: product.productId,
            qty: 1,
            maxUnitCents: cents((product.priceCents ?? 0) + 500),
          },
        ],
        waitSeconds: 1,
      }),
    )
  }
  const deeds: readonly (() => Promise<unknown>)[] = [
    changePrice,
    changePrice,
    changePrice,
    changeStatus,
    order,
    order,
    () => sendOutbox(accounts),
    () => downloadAllKeys(accounts),
    () => attempt(ask.accounts.syncNow({ accountId: below(2) === 0 ? seller : partner })),
    () => ask.outbox.list({ accountId: seller }),
  ]
  return {
    deed: (): Promise<unknown> => (deeds[below(deeds.length)] ?? changePrice)(),
    order,
    changePrice,
  }
}
