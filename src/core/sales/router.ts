import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Sales } from './sales.ts'

/** Binds the contract's procedures to the sales feature. */
export function createSalesRouter(sales: Sales) {
  const os = implement(contract.sales)
  return os.router({
    list: os.list.handler(({ input }) => sales.list(input)),
    export: os.export.handler(({ input }) => sales.export(input)),
    position: os.position.handler(({ input }) => sales.position(input)),
    sale: os.sale.handler(({ input }) => sales.sale(input)),
    earned: os.earned.handler(({ input }) => sales.earned(input)),
    profit: os.profit.handler(({ input, signal }) => sales.profit(input, signal)),
    pending: os.pending.handler(({ input }) => sales.pending(input)),
    releases: os.releases.handler(({ input }) => sales.releases(input)),
  })
}
