import DatabaseConstructor from 'better-sqlite3'
import type { DemoBackend } from '../../../src/core/mirror/testing/backend.ts'

export type AccountRef = { id: string; role: 'partner' | 'seller' }
/** A record's id and facts in one text, so that both sides are compared by equality. */
export type Told = { id: string; facts: string }
/** `such`: some of the differing records, on both sides. */
export type Difference = { lost: number; wrong: number; twice: number; such?: readonly string[] }
const MOST_SUCH = 3

export const noDifference: Difference = { lost: 0, wrong: 0, twice: 0 }
export const isEqual = ({ lost, wrong, twice }: Difference): boolean => lost + wrong + twice === 0
export const addUp = (...parts: Difference[]): Difference =>
  parts.reduce(
    (sum, { lost, wrong, twice, such = [] }) => ({
      lost: sum.lost + lost,
      wrong: sum.wrong + wrong,
      twice: sum.twice + twice,
      such: [...(sum.such ?? []), ...such].slice(0, MOST_SUCH),
    }),
    noDifference,
  )

type Wire = Record<string, unknown>

async function pagesOf(url: string, key: string): Promise<Wire[]> {
  const all: Wire[] = []
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${url}&page=${page}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { results, hasMore } = (await answer.json()) as { results: Wire[]; hasMore: boolean }
    all.push(...results)
    if (!hasMore) return all
  }
}

const told = (
  records: readonly Wire[],
  idOf: (record: Wire) => unknown,
  factsOf: (record: Wire) => unknown,
): Told[] =>
  records.map((record) => ({ id: String(idOf(record)), facts: JSON.stringify(factsOf(record)) }))
export const inCents = (euros: unknown): number | null =>
  euros === null ? null : Math.round(Number(euros) * 100)

/** The service's current data, from its own lists. */
export const readService = (backend: Pick<DemoBackend, 'baseUrl' | 'sellerUrl' | 'demo'>) => ({
  catalogue: async (role: AccountRef['role']): Promise<Told[]> =>
    role === 'partner'
      ? told(
          await pagesOf(
            `${backend.baseUrl}/products?limit=100&includeRemoved=true`,
            backend.demo.partnerLiveKey,
          ),
          (each) => each['id'],
          (each) => [
            each['name'],
            each['platform'],
            each['region'],
            inCents(each['price']),
            Number(each['inStock']),
            each['qty'],
            Number(each['removed']),
            Date.parse(String(each['updatedAt'])),
          ],
        )
      : told(
          await pagesOf(`${backend.sellerUrl}/products?limit=100`, backend.demo.sellerKey),
          (each) => each['productId'],
          (each) => [
            each['name'],
            each['platform'],
            each['region'],
            inCents(each['shopPrice']),
            inCents(each['bestSellerPrice']),
          ],
        ),
  offers: async (): Promise<Told[]> =>
    told(
      await pagesOf(`${backend.sellerUrl}/offers?limit=100`, backend.demo.sellerKey),
      (each) => each['id'],
      (each) => [inCents(each['price']), each['status'], each['stock']],
    ),
  orders: async (): Promise<(Told & { externalId: string })[]> =>
    (await pagesOf(`${backend.baseUrl}/orders?limit=100`, backend.demo.partnerLiveKey)).map(
      (each) => ({
        id: String(each['id']),
        externalId: String(each['externalId']),
        facts: JSON.stringify([
          each['externalId'],
          each['status'],
          inCents(each['total']),
          inCents(each['refunded']),
        ]),
      }),
    ),
  async keys(orderId: string): Promise<string[]> {
    const answer = await fetch(`${backend.baseUrl}/orders/${orderId}/keys`, {
      headers: { authorization: `Bearer ${backend.demo.partnerLiveKey}` },
    })
    const { keys } = (await answer.json()) as { keys: { value: string }[] }
    return keys.map(({ value }) => value).toSorted()
  },
})
export type Served = ReturnType<typeof readService>

/**
 * The mirror's data, read from its file. `twice`: records that the word index contains a wrong
 * number of times.
 */
export function readMirror(
  file: string,
  role: AccountRef['role'],
): { rows: Told[]; twice: number } {
  const db = new DatabaseConstructor(file, { readonly: true })
  try {
    const columns =
      role === 'partner'
        ? 'name, platform, region, price_cents, in_stock, qty, removed, updated_at'
        : 'name, platform, region, price_cents, best_seller_cents'
    const rows = db
      .prepare(
        `SELECT product_id, ${columns} FROM products ${role === 'partner' ? '' : 'WHERE removed = 0'}`,
      )
      .raw()
      .all() as unknown[][]
    const [present, indexed] = [
      'SELECT count(*) FROM products WHERE removed = 0',
      'SELECT count(*) FROM product_index',
    ].map((sql) => db.prepare(sql).pluck().get() as number) as [number, number]
    return {
      rows: rows.map(([id, ...facts]) => ({ id: String(id), facts: JSON.stringify(facts) })),
      twice: Math.abs(indexed - present),
    }
  } finally {
    db.close()
  }
}

/**
 * The results of the attempts of each order, by its reference, read from the journal's file,
 * because the list on screen contains only the newest. A table orders again what was certainly
 * rejected, so a reference can have several attempts.
 */
export function attemptsIn(file: string): Map<string, string[]> {
  const db = new DatabaseConstructor(file, { readonly: true })
  try {
    const rows = db.prepare('SELECT external_id, state FROM order_attempts').raw().all()
    const byReference = Map.groupBy(rows as [string, string][], ([reference]) => reference)
    return new Map(
      [...byReference].map(([reference, own]) => [reference, own.map(([, state]) => state)]),
    )
  } finally {
    db.close()
  }
}

/** The records that `rows` lack, and those that differ or are too many. */
export function compare(truth: readonly Told[], rows: readonly Told[]): Difference {
  const known = new Map(rows.map((row) => [row.id, row.facts]))
  const missing = truth.filter(({ id }) => !known.has(id))
  const otherwise = truth.filter(({ id, facts }) => known.has(id) && known.get(id) !== facts)
  const lost = missing.length
  const such = [...missing, ...otherwise]
    .slice(0, MOST_SUCH)
    .map(({ id, facts }) => `${id} is ${facts}, here ${known.get(id) ?? 'missing'}`)
  return {
    lost,
    wrong: otherwise.length + known.size - (truth.length - lost),
    twice: rows.length - known.size,
    such,
  }
}
