import { FINISH_WITHIN_MS } from './trial.ts'
import type { Trial } from './trial.ts'

const PAUSE_MS = 10_000

/** A number of the console and the same one at the service. */
type Pair = { what: string; here: string; there: string }

/** The console shows the sales and balances that the service has, and no key is sold twice. */
export async function judgeMoney(trial: Trial): Promise<void> {
  const { ask, seller, partner, pause, note, world, shop } = trial
  for (let waited = 0; ; waited += PAUSE_MS) {
    const differing = [...(await salesOf(trial)), ...(await balancesOf(trial))].filter(
      ({ here, there }) => here !== there,
    )
    if (differing.length === 0) break
    if (waited > FINISH_WITHIN_MS) {
      for (const { what, here, there } of differing)
        note({ kind: 'wrong', what: `${what} is ${there}, here ${here}` })
      break
    }
    for (const accountId of [seller, partner]) await ask.accounts.syncNow({ accountId })
    await pause(PAUSE_MS)
  }
  for (const { count } of world.soldTwice(shop))
    note({ kind: 'twice', what: `a key was delivered to ${count} customers` })
}

async function salesOf({ ask, seller: accountId, shop, world }: Trial): Promise<Pair[]> {
  const there = new Map(
    world
      .rows<{ id: string; price: number; customerPrice: number; status: string }>(
        `SELECT id, price, customer_price AS customerPrice, status FROM sales WHERE seller_id = ?`,
        shop,
      )
      .map(({ id, price, customerPrice, status }) => [id, `${price} ${customerPrice} ${status}`]),
  )
  const here = new Map<string, string>()
  for (let offset = 0; ; offset += 500) {
    const { rows, total } = await ask.sales.list({ accountId, window: { offset, limit: 500 } })
    for (const { saleId, priceCents, customerCents, status } of rows)
      here.set(saleId, `${priceCents} ${customerCents} ${status}`)
    if (offset + 500 >= total) break
  }
  return [...new Set([...there.keys(), ...here.keys()])].map((id) => ({
    what: `sale ${id}`,
    here: here.get(id) ?? 'missing',
    there: there.get(id) ?? 'missing',
  }))
}

async function balancesOf({ ask, seller, partner, world }: Trial): Promise<Pair[]> {
  const { reading } = await ask.balance.now({ accountId: seller })
  const { balanceCents } = await ask.spending.balance({ accountId: partner })
  const of = await world.balances()
  return [
    {
      what: 'the shop’s balance',
      here: `${reading?.pendingCents} ${reading?.availableCents}`,
      there: `${of.pending} ${of.available}`,
    },
    { what: 'the partner’s balance', here: String(balanceCents), there: String(of.partner) },
  ]
}
