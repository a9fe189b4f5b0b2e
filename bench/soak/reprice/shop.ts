import type { TestBackend } from '../../../src/core/testing/backend.ts'

export type Shop = {
  sellerKey: string
  offers: ReadonlyMap<string, string>
  undercut(): Promise<void>
  prices(): Promise<Map<string, number>>
}

/**
 * A seller with a number of offers, and a rival with the same products; each with one key.
 * `undercut`: the rival sets lower prices than everyone.
 */
export async function openShop(backend: TestBackend, count: number): Promise<Shop> {
  const own = await newSeller(backend, 'Shop')
  const rival = await newSeller(backend, 'Rival')
  const offers = new Map<string, string>()
  await inParallel(
    Array.from({ length: count }, (_, index) => index),
    async (index) => {
      const { id } = await backend.dashboard('POST', '/products', {
        name: `Product ${String(index).padStart(4, '0')}`,
        platform: 'Steam',
        region: 'Global',
        productType: 'game',
        deliveryType: 'key',
      })
      const made = await Promise.all(
        [
          [own, 10 + index / 100],
          [rival, 9.5 + index / 100],
        ].map(async ([key, price]) => {
          const { offer } = (await ask(backend, String(key), 'POST', '/offers', {
            productId: id,
            price: Math.round(Number(price) * 100) / 100,
          })) as { offer: { id: string } }
          await ask(backend, String(key), 'POST', `/offers/${offer.id}/keys`, {
            keys: [`KEY-${offer.id}`],
          })
          return offer.id
        }),
      )
      offers.set(made[0] ?? '', made[1] ?? '')
    },
  )
  const pricesOf = async (key: string): Promise<Map<string, number>> => {
    const all = new Map<string, number>()
    for (let page = 1; ; page += 1) {
      const answer = (await ask(backend, key, 'GET', `/offers?limit=100&page=${page}`)) as {
        results: { id: string; price: number }[]
        hasMore: boolean
      }
      for (const { id, price } of answer.results) all.set(id, Math.round(price * 100))
      if (!answer.hasMore) return all
    }
  }
  return {
    sellerKey: own,
    offers,
    prices: () => pricesOf(own),
    async undercut() {
      const present = await pricesOf(own)
      await inParallel(
        [...offers],
        async ([ours, theirs]) =>
          void (await ask(backend, rival, 'PATCH', `/offers/${theirs}`, {
            price: ((present.get(ours) ?? 1000) - 4) / 100,
          })),
      )
    },
  }
}

async function newSeller(backend: TestBackend, name: string): Promise<string> {
  const { id } = await backend.dashboard('POST', '/sellers', { name })
  const { key } = await backend.dashboard('POST', `/sellers/${String(id)}/keys`, {})
  return String(key)
}

async function ask(
  backend: TestBackend,
  key: string,
  method: string,
  where: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${backend.ready.sellerUrl}${where}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
    }),
  )
}
