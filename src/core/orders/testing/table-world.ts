import { cents } from '../../../../server/api/money.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { Failure, failure } from '../../failure.ts'
import { createFakeWorld, orderable } from './fake-service.ts'
import type { FakeWorld } from './fake-service.ts'

const accountId = 'account'

export interface TableWorld {
  world: FakeWorld
  /** Starts the account's background work. */
  start(): void
  /** Stops the account's background work. */
  stop(): void
  /** Places a table with one order per reference. */
  placeMany(...externalIds: string[]): ReturnType<FakeWorld['orders']['placeMany']>
  /** The references of the orders sent to the service. */
  sent(): string[]
  bulk(bulkId: string): ReturnType<FakeWorld['orders']['bulk']>
  /** The progress of a table. */
  job(bulkId: string): ReturnType<FakeWorld['jobs']['get']>
  /** Rejects the first sends with these codes; later ones succeed. */
  reject(codes: ProblemCode[], more?: Parameters<typeof failure>[3]): void
  close(): Promise<void>
}

/** A world of orders whose account works, without calls or changes so far. */
export async function createTableWorld(): Promise<TableWorld> {
  const world = createFakeWorld([orderable('p1', { name: 'Ironwharf 3' })])
  let stop = world.ready()
  await world.settle()
  world.calls.length = 0
  world.changes.length = 0
  return {
    world,
    start() {
      stop = world.ready()
    },
    stop: () => stop(),
    placeMany: (...externalIds) =>
      world.orders.placeMany({
        accountId,
        name: 'orders.csv',
        orders: externalIds.map((externalId) => ({
          externalId,
          lines: [{ productId: 'p1', qty: 2, maxUnitCents: cents(700) }],
        })),
      }),
    sent: () =>
      world.calls
        .filter(({ operation }) => operation === 'createOrder')
        .map(({ input }) => input.body.externalId),
    bulk: (bulkId) => world.orders.bulk({ accountId, bulkId }),
    job: (bulkId) => world.jobs.get(`orders-${bulkId}`),
    reject(codes, more = {}) {
      const place = world.respond['createOrder']
      world.respond['createOrder'] = (call) => {
        const code = codes.shift()
        if (code !== undefined)
          throw new Failure(failure(code, 'Rejected.', 'Wait.', more).problem, {
            certainty: 'rejected',
            retry: 'never',
          })
        return place?.(call)
      }
    },
    async close() {
      stop()
      await world.close()
    },
  }
}
