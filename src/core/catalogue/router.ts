import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Catalogue } from './catalogue.ts'

/** Implements the catalogue's contract. */
export function createCatalogueRouter(catalogue: Catalogue) {
  const os = implement(contract.catalogue)
  return os.router({
    search: os.search.handler(({ input, signal }) => catalogue.search(input, signal)),
    position: os.position.handler(({ input, signal }) => catalogue.position(input, signal)),
    counts: os.counts.handler(({ input, signal }) => catalogue.counts(input, signal)),
    product: os.product.handler(({ input }) => catalogue.product(input)),
    cover: os.cover.handler(({ input }) => catalogue.cover(input)),
    sync: os.sync.handler(({ input }) => catalogue.sync(input)),
  })
}
