import SqliteDatabase from 'better-sqlite3'
import { fingerprint } from '../../../server/domain/stock/key-rules.ts'
import { inCents } from '../sync/truth.ts'
import { otherAddress } from './service.ts'
import type { SimulatedService } from './service.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The service as its dashboard, rival sellers and customers reach it, and its own data. */
export function createWorld(service: SimulatedService) {
  const database = new SqliteDatabase(service.database, { readonly: true })

  async function ask(url: string, key: string, method: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  const rows = <Row>(sql: string, ...values: readonly unknown[]): Row[] =>
    database.prepare(sql).all(...values) as Row[]
  const productOf = (offerId: string): string =>
    String(database.prepare('SELECT product_id FROM offers WHERE id = ?').pluck().get(offerId))
  /** Units that were withdrawn before the day. */
  const before = rows<{ no: number }>(`SELECT no FROM units WHERE state = 'withdrawn'`)
    .map(({ no }) => no)
    .join()

  return {
    rows,
    dashboard: (method: string, path: string, body?: unknown): Promise<unknown> =>
      ask(`${otherAddress.dashboardUrl}${path}`, otherAddress.dashboardToken, method, body),
    seller: (key: string, method: string, path: string, body?: unknown): Promise<unknown> =>
      ask(`${otherAddress.sellerUrl}${path}`, key, method, body),
    partner: (method: string, path: string, body?: unknown): Promise<unknown> =>
      ask(`${otherAddress.baseUrl}${path}`, service.demo.partnerLiveKey, method, body),
    /** Every unit ever uploaded with this value for the product of an offer. */
    unitsOf(offerId: string, value: string): { state: string; offerId: string }[] {
      return rows(
        `SELECT units.state, offers.id AS offerId FROM units
         JOIN offers ON offers.no = units.offer_no WHERE fingerprint = ?`,
        fingerprint(productOf(offerId), value),
      )
    },
    /** The fingerprint of a key for the product of an offer, as the service stores it. */
    fingerprintOf: (offerId: string, value: string): string =>
      hex(fingerprint(productOf(offerId), value)),
    /** The ids of an order's delivered units. */
    deliveredUnits: (orderId: string): string[] =>
      rows<{ id: string }>(
        `SELECT order_units.id FROM order_units JOIN orders ON orders.no = order_units.order_no
         WHERE orders.id = ? AND order_units.state = 'delivered'`,
        orderId,
      ).map(({ id }) => id),
    /** Fingerprints of the keys that the service returned to a seller today and doesn't have now. */
    missingUnits: (sellerId: string): Set<string> =>
      new Set(
        rows<{ fingerprint: Uint8Array }>(
          `SELECT DISTINCT fingerprint FROM units JOIN offers ON offers.no = units.offer_no
           WHERE seller_id = ? AND units.state = 'withdrawn' AND units.no NOT IN (${before})
           AND fingerprint NOT IN (SELECT fingerprint FROM units WHERE state <> 'withdrawn')`,
          sellerId,
        ).map(({ fingerprint: bytes }) => hex(bytes)),
      ),
    /** Values of a seller that more than one customer has. */
    soldTwice: (sellerId: string): { count: number }[] =>
      rows(
        `SELECT count(*) AS count FROM order_units
         JOIN units ON units.no = order_units.unit_no JOIN offers ON offers.no = units.offer_no
         WHERE seller_id = ? AND order_units.state = 'delivered'
         GROUP BY fingerprint HAVING count(*) > 1`,
        sellerId,
      ),
    /** The balances that the service reports, in cents. */
    async balances(): Promise<{ pending: number; available: number; partner: number }> {
      const shop = (await ask(
        `${otherAddress.sellerUrl}/balance`,
        service.demo.sellerKey,
        'GET',
      )) as { pending: number; available: number }
      const partner = (await ask(
        `${otherAddress.baseUrl}/balance`,
        service.demo.partnerLiveKey,
        'GET',
      )) as { balance: number }
      return {
        pending: inCents(shop.pending) ?? 0,
        available: inCents(shop.available) ?? 0,
        partner: inCents(partner.balance) ?? 0,
      }
    },
    pricesOf(offerIds: readonly string[]): Map<string, number> {
      const read = database.prepare('SELECT price FROM offers WHERE id = ?').pluck()
      return new Map(offerIds.map((id) => [id, Number(read.get(id))]))
    },
    close: () => database.close(),
  }
}
export type World = ReturnType<typeof createWorld>
