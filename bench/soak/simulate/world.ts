import SqliteDatabase from 'better-sqlite3'
import { fingerprint } from '../../../server/domain/stock/key-rules.ts'
import { otherAddress } from './service.ts'
import type { SimulatedService } from './service.ts'

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
      const [offer] = rows<{ productId: string }>(
        'SELECT product_id AS productId FROM offers WHERE id = ?',
        offerId,
      )
      return rows(
        `SELECT units.state, offers.id AS offerId FROM units
         JOIN offers ON offers.no = units.offer_no WHERE fingerprint = ?`,
        fingerprint(offer?.productId ?? '', value),
      )
    },
    pricesOf(offerIds: readonly string[]): Map<string, number> {
      const read = database.prepare('SELECT price FROM offers WHERE id = ?').pluck()
      return new Map(offerIds.map((id) => [id, Number(read.get(id))]))
    },
    close: () => database.close(),
  }
}
export type World = ReturnType<typeof createWorld>
