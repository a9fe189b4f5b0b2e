import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { ClaimsContext } from './context.ts'
import { claimsSchema } from './schema.ts'
import { createClaimStore } from './store.ts'
import type { ClaimStore } from './store.ts'

/** A partner's stored claims, on which both the orders and the claims themselves build. */
function createClaimRecords(
  context: Pick<ClaimsContext, 'accounts' | 'mirrors'>,
  _needs: unknown,
  scope: Scope,
) {
  const { of } = createAccountScopes<ClaimStore>(context, scope, {
    role: 'partner',
    otherRole: ['A seller account has no claims of its own.', 'Choose a partner account.'],
    open: ({ accountId }) => createClaimStore(context.mirrors.database(accountId)),
  })
  return {
    of,
    /** The claims of an account by key id: the name of each claim's state. */
    labels: (accountId: string): ReadonlyMap<string, string> => of(accountId).labels(),
  }
}
export type ClaimRecords = ReturnType<typeof createClaimRecords>

export const claimRecordsFeature = defineFeature({
  name: 'claimRecords',
  schemas: [claimsSchema],
  start: createClaimRecords,
})
