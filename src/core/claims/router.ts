import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Claims } from './claims.ts'

/** Implements the claims contract. */
export function createClaimsRouter(claims: Claims) {
  const os = implement(contract.claims)
  return os.router({
    list: os.list.handler(({ input }) => claims.list(input)),
    claim: os.claim.handler(({ input }) => claims.claim(input)),
    screenshot: os.screenshot.handler(({ input }) => claims.screenshot(input)),
    create: os.create.handler(({ input }) => claims.create(input)),
    save: os.save.handler(({ input }) => claims.save(input)),
    discard: os.discard.handler(({ input }) => claims.discard(input)),
    file: os.file.handler(({ input }) => claims.file(input)),
    recordByHand: os.recordByHand.handler(({ input }) => claims.recordByHand(input)),
    settleAsSupplier: os.settleAsSupplier.handler(({ input }) => claims.settleAsSupplier(input)),
  })
}
