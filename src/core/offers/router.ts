import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Offers } from './offers.ts'

/** How offers answer the contract. */
export function createOffersRouter(offers: Offers) {
  const os = implement(contract.offers)
  return os.router({
    list: os.list.handler(({ input }) => offers.list(input)),
    offer: os.offer.handler(({ input }) => offers.offer(input)),
    create: os.create.handler(({ input }) => offers.create(input)),
    change: os.change.handler(({ input }) => offers.change(input)),
    remove: os.remove.handler(({ input }) => offers.remove(input)),
  })
}
