/** The service under attack as a separate process, with data of every kind to request. */
import { createClient } from '../../../server/api/client/client.ts'
import type { Api } from '../../../server/api/endpoints/endpoint.ts'
import type { OperationId } from '../../../server/api/endpoints/endpoints.ts'
import { cents } from '../../../server/api/money.ts'
import { requestExamples } from '../../../server/http/openapi/examples/examples.ts'
import { startBackend } from '../../../server/testing/backend-process.ts'
import { fetchTransport } from '../../../server/fetch-transport.ts'
import { openMemory } from './memory.ts'
import type { Memory } from './memory.ts'

export interface World {
  readonly origin: string
  readonly keyOf: Readonly<Record<Api, string>>
  /** Existing ids, by the path segment before them. */
  readonly ids: Readonly<Record<string, readonly string[]>>
  /** Bodies that are nearly valid, so that some are accepted. */
  readonly bodies: Readonly<Partial<Record<OperationId, unknown>>>
  readonly memory: Memory
  /** Errors that the service has reported. */
  defects(): string[]
  ledger(): Promise<{ ok: boolean; sums: readonly number[] }>
  /** Deletes the branches that requests created: each is a service of its own in the same heap. */
  deleteBranches(): Promise<void>
  /** Stops the service; its last output is added to the defects. */
  stop(): Promise<void>
}

function bodiesOf(
  productIds: readonly string[],
  claimed: { orderId?: string | undefined; keyId?: string | undefined } | undefined,
): World['bodies'] {
  return {
    ...requestExamples,
    createPartner: {
      name: 'P',
      email: null,
      perOrderLimit: 10,
      dailyLimit: null,
      ipAllowlist: ['10.0.0.0/8'],
      priceFactor: 1.1,
    },
    changePartner: { name: 'P', status: 'active', perOrderLimit: null },
    createPartnerKey: { mode: 'live', scopes: ['orders:read'], expiresAt: '2030-01-01T00:00:00Z' },
    createTopUpReference: { mode: 'live' },
    createTopUp: { mode: 'live', amount: 12.34, reference: 'R' },
    resetTestBalance: { amount: 1 },
    putWebhook: { url: 'http://127.0.0.1:9/' },
    testPartnerWebhook: { mode: 'live' },
    createSeller: { name: 'S', status: 'active', commission: { keys: 10 } },
    changeSeller: { name: 'S', commission: { accounts_and_gifts: 15 } },
    createSellerKey: { expiresAt: null },
    createProduct: {
      name: 'N',
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'key',
      releaseDate: '2026-01-01',
      languages: ['English'],
    },
    changeProduct: { removed: true, supplyUnknown: true, description: null },
    createOrder: {
      externalId: 'fuzz',
      items: [{ productId: productIds[0], qty: 1, maxUnitPrice: 1000 }],
    },
    createClaim: { orderId: claimed?.orderId, keyId: claimed?.keyId, message: 'It says used.' },
    saveOffer: { productId: productIds[1], price: 1.5 },
  }
}

/** Starts it with the demo world and without rates, which another soak covers. */
export async function openWorld(): Promise<World> {
  const backend = startBackend(
    ['--memory', '--port', '0', '--products', '40', '--no-limits', '--exit-with-parent'],
    ['--inspect=127.0.0.1:0'],
  )
  const { baseUrl, dashboardToken, demo } = await backend.ready
  const keyOf = {
    dashboard: dashboardToken,
    partner: demo?.partnerLiveKey ?? '',
    seller: demo?.sellerKey ?? '',
  }
  const client = (api: Api) =>
    createClient<AbortSignal>({ baseUrl, key: keyOf[api], send: fetchTransport })
  const dashboard = client('dashboard')
  const products = (await client('partner').listProducts({ query: { limit: 5 } })).body.results.map(
    ({ id }) => id,
  )
  const orders = (await client('partner').listOrders({ query: { limit: 5 } })).body.results.map(
    ({ id }) => id,
  )
  const offers = (
    (await client('seller').listOffers({ query: { limit: 5 } })).body.results ?? []
  ).map(({ id }) => id)
  const buyer = (await dashboard.listPartners({})).body.results[0]?.id ?? ''
  await dashboard.createTopUp({
    params: { id: buyer },
    body: { mode: 'live', amount: cents(100_000) },
  })
  // Accounts that can be changed freely; the accounts that send the requests must keep working.
  const { body: partner } = await dashboard.createPartner({ body: { name: 'Other' } })
  const { body: seller } = await dashboard.createSeller({ body: { name: 'Other' } })
  const known = (await dashboard.listAllDisputes({})).body.results ?? []
  const errors = () => backend.output.stderr.split('\n').filter((line) => / error /.test(line))
  return {
    origin: baseUrl.replace(/\/v1$/, ''),
    keyOf,
    ids: {
      products,
      orders,
      offers,
      partners: [partner.id],
      sellers: [seller.id],
      disputes: known.flatMap(({ id }) => id ?? []),
    },
    bodies: bodiesOf(products, known[0]),
    memory: await openMemory(backend),
    defects: errors,
    async ledger() {
      const { ok, sums } = (await dashboard.verifyLedger({})).body
      return { ok, sums: [sums.live, sums.test] }
    },
    async deleteBranches() {
      const { results } = (await dashboard.listBranches({})).body
      for (const { id } of results) await dashboard.deleteBranch({ params: { id } })
    },
    async stop() {
      backend.child.kill('SIGTERM')
      const { code } = await backend.ended
      if (code !== 0)
        throw new Error(
          `the service exited with ${code ?? 'a signal'}: ${backend.output.stderr.slice(-2000)}`,
        )
    },
  }
}
