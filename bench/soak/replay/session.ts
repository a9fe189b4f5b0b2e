/** A random session with a sandbox: valid calls, mistakes, faults, time, market and snapshots. */

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
export type Asked = {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}
export type Send = (asked: Asked) => Promise<Answer>
export type SessionKeys = {
  readonly partner: string
  readonly seller: string
  readonly dashboard: string
}
type Choose = <T>(values: readonly T[]) => T

/** What the session knows by now; a mistake can't be made with nothing. */
type Known = {
  products: string[]
  offers: string[]
  orders: string[]
  partners: string[]
  /** Keys of new partners. */
  issued: string[]
  snapshots: string[]
  uploads: number
}

const idOf = ({ body }: Answer): string[] => (typeof body['id'] === 'string' ? [body['id']] : [])
const idsOf = ({ body }: Answer): string[] =>
  Array.isArray(body['results'])
    ? body['results'].flatMap((row: { id?: unknown }) =>
        typeof row.id === 'string' ? [row.id] : [],
      )
    : []

/** Carries out one step, which can be several requests. */
type Step = (known: Known, no: number) => Promise<void>

function partnerSteps(send: Send, { partner }: SessionKeys, choose: Choose): Step[] {
  const order = (known: Known, no: number, qty: number, maxUnitPrice: number): Promise<Answer> =>
    send({
      method: 'POST',
      path: `/v1/orders?wait=${choose([0, 5])}`,
      key: choose([partner, ...known.issued]),
      body: {
        externalId: choose([`order-${no}`, 'order-again']),
        items: [{ productId: choose(known.products), qty, maxUnitPrice }],
      },
      ...(choose([true, false]) ? { idempotencyKey: `key-${choose([no, 1])}` } : {}),
    })
  return [
    async (known, no) => {
      const made = await order(known, no, choose([1, 1, 2, 3]), 99_999)
      known.orders.push(...idOf(made))
    },
    async (known, no) => void (await order(known, no, choose([0, 9, 12]), choose([0, 0.01]))),
    async (known) => {
      for (const part of ['', '/keys'])
        await send({
          method: 'GET',
          path: `/v1/orders/${choose(['ord_none', ...known.orders])}${part}`,
          key: partner,
        })
    },
    async () => {
      const path = choose(['/v1/orders', '/v1/balance', '/v1/ping', '/v1/meta', '/nowhere'])
      await send({ method: 'GET', path, key: choose([partner, partner, 'svc_test_none']) })
    },
    async (known) => {
      const found = await send({
        method: 'GET',
        path: `/v1/products?limit=${choose([1, 20, 500])}&inStock=true`,
        key: partner,
      })
      known.products.push(...idsOf(found).slice(0, 3))
    },
  ]
}

function sellerSteps(send: Send, { seller }: SessionKeys, choose: Choose): Step[] {
  return [
    async (known) => {
      const path = '/v1/seller/offers'
      known.offers.push(
        ...idsOf(await send({ method: 'GET', path: `${path}?limit=5`, key: seller })),
      )
      const body = { productId: choose(known.products), price: choose([1, 12.5, 12.345, -1]) }
      await send({ method: 'POST', path, key: seller, body })
    },
    async (known, no) => {
      const path = `/v1/seller/offers/${choose(['off_none', ...known.offers])}`
      known.uploads += 1
      const keys = [`UPLOADED-${no}-A`, ` UPLOADED-${choose([no, 1])}-A `, `UPLOADED-${no}-B`]
      await send({ method: 'POST', path: `${path}/keys`, key: seller, body: { keys } })
      await send({ method: 'PATCH', path, key: seller, body: { price: choose([3, 30, 0]) } })
    },
    async () => {
      const path = choose(['sales', 'offers', 'disputes', 'balance', 'products'])
      await send({ method: 'GET', path: `/v1/seller/${path}`, key: seller })
    },
  ]
}

function dashboardSteps(send: Send, { dashboard: key }: SessionKeys, choose: Choose): Step[] {
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send({ method, path: `/dashboard${path}`, key, ...(body === undefined ? {} : { body }) })
  return [
    async (known, no) => {
      const ids = idOf(await ask('POST', '/partners', { name: `Partner ${no}` }))
      known.partners.push(...ids)
      for (const id of ids) {
        const { body } = await ask('POST', `/partners/${id}/keys`, {
          mode: choose(['test', 'live']),
        })
        if (typeof body['key'] === 'string') known.issued.push(body['key'])
        await ask('POST', `/partners/${id}/top-ups`, { mode: 'live', amount: choose([50, 0]) })
        await ask('PUT', `/partners/${id}/webhook`, { url: 'http://127.0.0.1:9/' })
      }
    },
    async () => {
      await ask('POST', '/clock/advance', { ms: choose([1, 60_000, 3_600_000, 3 * 86_400_000]) })
    },
    async () => {
      const match = { path: choose(['/v1/ping', '/v1/orders*']) }
      await ask('PUT', '/faults', [{ match, probability: 0.5, status: choose([503, 429]) }])
    },
    async () => void (await ask('DELETE', '/faults')),
    async (_known, no) => {
      await ask('POST', '/market', { seed: `m${no}`, intensity: choose([1, 10]) })
    },
    async (known) => {
      const name = choose(['one', 'two', '.bad'])
      if ((await ask('POST', '/snapshots', { name })).status === 200) known.snapshots.push(name)
    },
    async (known) => {
      const name = choose(['none', ...known.snapshots])
      await ask('GET', `/snapshots/${name}/differences`)
      await ask('POST', `/snapshots/${name}/restore`)
    },
    async () => {
      await ask('GET', choose(['/ledger/verify', '/disputes', '/clock', '/requests?limit=5']))
    },
  ]
}

/** Sends about `count` steps. Returns whether keys were uploaded. */
export async function randomSession(
  send: Send,
  keys: SessionKeys,
  choose: Choose,
  count: number,
): Promise<{ uploads: number }> {
  const known: Known = {
    products: ['prd_none'],
    offers: [],
    orders: [],
    partners: [],
    issued: [],
    snapshots: [],
    uploads: 0,
  }
  const begun = await send({ method: 'GET', path: '/v1/products?inStock=true', key: keys.partner })
  known.products.push(...idsOf(begun))
  const kinds = [partnerSteps, partnerSteps, sellerSteps, dashboardSteps].map((steps) =>
    steps(send, keys, choose),
  )
  for (let no = 1; no <= count; no += 1) await choose(choose(kinds))(known, no)
  return { uploads: known.uploads }
}
