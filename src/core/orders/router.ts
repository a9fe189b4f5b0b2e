import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Orders } from './orders.ts'

/** Implements the orders contract. */
export function createOrdersRouter(orders: Orders) {
  const os = implement(contract.orders)
  return os.router({
    list: os.list.handler(({ input }) => orders.list(input)),
    order: os.order.handler(({ input }) => orders.order(input)),
    lookUp: os.lookUp.handler(({ input }) => orders.lookUp(input)),
    quote: os.quote.handler(({ input }) => orders.quote(input)),
    place: os.place.handler(({ input }) => orders.place(input)),
    attempts: os.attempts.handler(({ input }) => orders.attempts(input)),
    checkAttempt: os.checkAttempt.handler(({ input }) => orders.checkAttempt(input)),
    downloadKeys: os.downloadKeys.handler(({ input }) => orders.downloadKeys(input)),
    exportList: os.exportList.handler(({ input }) => orders.exportList(input)),
    keysText: os.keysText.handler(({ input }) => orders.keysText(input)),
    exportKeys: os.exportKeys.handler(({ input }) => orders.exportKeys(input)),
    keys: os.keys.handler(({ input }) => orders.keys(input)),
    describeKeys: os.describeKeys.handler(({ input }) => orders.describeKeys(input)),
    keyRefs: os.keyRefs.handler(({ input }) => orders.keyRefs(input)),
    keysOfOrders: os.keysOfOrders.handler(({ input }) => orders.keysOfOrders(input)),
    markHandedOver: os.markHandedOver.handler(({ input }) => orders.markHandedOver(input)),
    restoreHandedOver: os.restoreHandedOver.handler(({ input }) => orders.restoreHandedOver(input)),
    exportSelectedKeys: os.exportSelectedKeys.handler(({ input }) =>
      orders.exportSelectedKeys(input),
    ),
    orderIds: os.orderIds.handler(({ input }) => orders.orderIds(input)),
    parseTable: os.parseTable.handler(({ input }) => orders.parseTable(input)),
    placeMany: os.placeMany.handler(({ input }) => orders.placeMany(input)),
    bulks: os.bulks.handler(({ input }) => orders.bulks(input)),
    bulk: os.bulk.handler(({ input }) => orders.bulk(input)),
    bulkResults: os.bulkResults.handler(({ input }) => orders.bulkResults(input)),
    exportBulk: os.exportBulk.handler(({ input }) => orders.exportBulk(input)),
    bulkRetry: os.bulkRetry.handler(({ input }) => orders.bulkRetry(input)),
    controlBulk: os.controlBulk.handler(({ input }) => orders.controlBulk(input)),
    revealKey: os.revealKey.handler(({ input }) => orders.revealKey(input)),
  })
}
