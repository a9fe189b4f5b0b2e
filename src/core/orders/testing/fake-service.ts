import { createHash } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { ZERO } from '../../../../server/api/money.ts'
import type { CoreContext } from '../../context.ts'
import { failure } from '../../failure.ts'
import { migrate } from '../../mirror/database/migrate.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { ordersFeature, ordersSchemas } from '../orders.ts'
import type { Orders } from '../orders.ts'
import type { OrderableProduct } from '../place/orderable-products.ts'
import { createOrderStore } from '../store.ts'
import type { OrderStore } from '../store.ts'

/** A request that the feature sent. */
type SentCall = {
  operation: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the operation it reads
  input: any
  options: { priority?: string; idempotencyKey?: string }
}
type Responder = (call: SentCall) => unknown

export type FakeWorld = {
  orders: Started<Orders>
  /** Names of the states of claims, by key id. */
  claimLabels: Map<string, string>
  context: CoreContext
  store: OrderStore
  db: Database
  clock: ManualClock
  /** Requests in the order in which they were sent. */
  calls: SentCall[]
  /** The response to each operation; throw a Failure for a rejection. */
  respond: Record<string, Responder>
  changes: { topic: string; id: string | null }[]
  jobs: Map<string, { job: Record<string, unknown>; controls: Record<string, () => void> }>
  notices: { kind: string; path: string }[]
  activity: Record<string, unknown>[]
  reports: { where: string; error: unknown }[]
  /** The state of the connection and of the vault; calls may succeed when `ready` resolves. */
  state: {
    connection: string
    locked: boolean
    ready: Promise<void>
    /** The service's clock minus this computer's. */
    serviceAheadMs: number
  }
  /** Starts the account's background work; the returned function stops it. */
  ready(): () => void
  /** A person requests a sync. */
  syncNow(): void
  /** Records of the topics that a window shows. */
  viewed: string[]
  /** Lets pending promises settle. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** An order as the service reports it after it was placed completely. */
export const wireOrder = (id: string, changes: Record<string, unknown> = {}) => ({
  id,
  externalId: id,
  mode: 'live',
  status: 'completed',
  currency: 'EUR',
  total: 1000,
  refunded: 0,
  createdAt: '2026-01-05T09:00:00.000Z',
  completedAt: '2026-01-05T09:00:01.000Z',
  failure: null,
  items: [
    {
      line: 1,
      productId: 'p1',
      name: 'Ironwharf 3',
      deliveryType: 'key',
      qty: 1,
      unitPrice: 1000,
      status: 'completed',
      deliveredQty: 1,
    },
  ],
  ...changes,
})

function assertUnlocked({ locked }: { locked: boolean }): void {
  if (locked) throw failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it.')
}

/** A vault that marks a value instead of encrypting it. */
const fakeVault = (state: { locked: boolean }): unknown => ({
  assertUnlocked: () => assertUnlocked(state),
  seal: (account: string, record: string, value: Uint8Array): Buffer =>
    Buffer.from(JSON.stringify([account, record, Buffer.from(value).toString()])),
  open(account: string, record: string, sealed: Uint8Array): Buffer {
    assertUnlocked(state)
    const [ofAccount, ofRecord, value] = JSON.parse(Buffer.from(sealed).toString()) as string[]
    if (ofAccount !== account || ofRecord !== record) throw new Error('damaged')
    return Buffer.from(value ?? '')
  },
  fingerprint(sha: Uint8Array): Buffer {
    assertUnlocked(state)
    return createHash('sha256').update(sha).digest()
  },
  holdUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
    assertUnlocked(state)
    return work()
  },
})

/** The orders feature with an in-memory database and a service whose responses a test decides. */
export function createFakeWorld(products: readonly OrderableProduct[] = []): FakeWorld {
  const db = new SqliteDatabase(':memory:')
  migrate(db, ordersSchemas)
  const clock = manualClock()
  const respond: Record<string, Responder> = {
    createOrder: ({ input }) =>
      wireOrder(`ord-${input.body.externalId}`, { externalId: input.body.externalId }),
    getBalance: () => ({ balance: 5000 }),
    listOrders: () => ({ results: [] }),
    listProducts: () => ({ results: [] }),
    getProduct: () => ({}),
  }
  const world: Omit<
    FakeWorld,
    'orders' | 'claimLabels' | 'context' | 'ready' | 'syncNow' | 'settle' | 'close'
  > = {
    store: createOrderStore(db),
    db,
    clock,
    calls: [],
    respond,
    changes: [],
    jobs: new Map(),
    notices: [],
    activity: [],
    reports: [],
    viewed: [],
    state: { connection: 'online', locked: false, ready: Promise.resolve(), serviceAheadMs: 0 },
  }
  let ids = 0
  const starts: ((account: { id: string; role: string }, signal: AbortSignal) => void)[] = []
  const syncs: ((accountId: string) => void)[] = []
  const account = { id: 'account', role: 'partner' }
  const seller = { id: 'seller', role: 'seller' }
  const context = {
    clock,
    random: { id: () => `id-${(ids += 1)}`, fraction: () => 0 },
    changes: {
      notify: (topic: string, _account: string, id: string | null = null) =>
        world.changes.push({ topic, id }),
    },
    accounts: {
      list: () => [account, seller],
      get: (id: string) => (id === seller.id ? seller : account),
      serviceNow: () => clock.now() + world.state.serviceAheadMs,
      onReady: (task: (typeof starts)[number]) => starts.push(task),
      onRelease: () => {},
      onSyncNow: (task: (accountId: string) => void) => syncs.push(task),
      isAsleep: () => false,
    },
    vault: fakeVault(world.state),
    mirrors: { database: () => db },
    jobs: {
      set: (job: { id: string }, controls: Record<string, () => void>) =>
        world.jobs.set(job.id, { job, controls }),
      end: (id: string) => world.jobs.delete(id),
    },
    activity: { add: (entry: Record<string, unknown>) => world.activity.push(entry) },
    notices: { notify: (notice: FakeWorld['notices'][number]) => world.notices.push(notice) },
    settings: { get: () => ({ paces: { orders: 1 } }) },
    attention: {
      markViewed: (accountId: string, topic: string) => world.viewed.push(`${accountId} ${topic}`),
      isForeground: () => false,
      isHidden: () => false,
      onForeground: () => {},
    },
    connection: () => ({
      call: async (operation: string, input: unknown, options: SentCall['options'] = {}) => {
        const call = { operation, input, options }
        world.calls.push(call)
        const responder = respond[operation]
        if (responder === undefined) throw new Error(`no response to ${operation}`)
        return responder(call)
      },
      state: () => ({ state: world.state.connection }),
      ready: () => world.state.ready,
    }),
    report: (where: string, error: unknown) => world.reports.push({ where, error }),
  } as unknown as CoreContext
  const claimLabels = new Map<string, string>()
  const orders = startFeature(ordersFeature, context, {
    catalogue: {
      orderable: (_account, ids) =>
        ids.map((id) => products.find(({ productId }) => productId === id) ?? null),
    },
    claimRecords: { labels: () => claimLabels },
  })
  return {
    ...world,
    claimLabels,
    orders,
    context,
    ready() {
      const stop = new AbortController()
      for (const start of starts) start(account, stop.signal)
      return () => stop.abort()
    },
    syncNow: () => {
      for (const sync of syncs) sync(account.id)
    },
    async settle() {
      for (let turn = 0; turn < 20; turn += 1)
        await new Promise<void>((resolve) => {
          setImmediate(resolve)
        })
    },
    async close() {
      await orders.close()
      db.close()
    },
  }
}

/** A product of the local catalogue. */
export const orderable = (
  productId: string,
  changes: Partial<OrderableProduct> = {},
): OrderableProduct => ({
  productId,
  name: `Product ${productId}`,
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  qty: 5,
  inStock: true,
  priceCents: ZERO,
  releaseDate: null,
  removed: false,
  excludedCountries: null,
  activationDetails: null,
  ...changes,
})
