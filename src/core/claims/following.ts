import type { Claim } from '../../contract/claims.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import { Failure, failure } from '../failure.ts'
import { createFlights } from '../journaled-send/journaled-send.ts'
import type { OrdersAccess } from '../orders/orders.ts'
import type { ClaimsContext } from './context.ts'
import type { SandboxClaims } from './sandbox-claims.ts'
import type { ClaimRecord, ClaimStore, DisputeState } from './store.ts'

type Dependencies = {
  context: {
    vault: Pick<ClaimsContext['vault'], 'assertUnlocked'>
    changes: Pick<ClaimsContext['changes'], 'notify'>
    notices: Pick<ClaimsContext['notices'], 'notify'>
    clock: ClaimsContext['clock']
  }
  orders: Pick<OrdersAccess, 'readBalance' | 'refetchKeys' | 'keysOf'>
  sandbox: Pick<SandboxClaims, 'ofKeys'>
  storeOf: (accountId: string) => ClaimStore
  filesHere: (accountId: string) => boolean
  toClaim: (accountId: string, record: ClaimRecord) => Pick<Claim, 'name'>
  note: (accountId: string, what: Localized, claim: ClaimRecord) => void
}

/** Milliseconds between two checks of the filed claims. */
export const followIntervalMs = 5000
const outcomeTexts = {
  replaced: localized('claims.replaced'),
  refunded: localized('claims.credited'),
  rejected: localized('claims.rejected'),
} as const

/** Follows filed claims to their result, and fetches replacement units. */
export function createFollowing({
  context,
  orders,
  sandbox,
  storeOf,
  filesHere,
  toClaim,
  note,
}: Dependencies) {
  const { vault } = context
  /** Claims for which this process still awaits a response. */
  const inFlight = new Set<string>()
  const flights = createFlights(context.clock)

  /**
   * Assigns downloaded replacements to the claims that a person sent, and checks the open claims if
   * the account's service can report them.
   */
  async function followOpenClaims(accountId: string): Promise<void> {
    try {
      for (const claim of storeOf(accountId).all())
        if (claim.state === 'told' && claim.outcome === 'replaced' && claim.newKeyId === null)
          assignReplacement(accountId, claim)
      if (filesHere(accountId)) await checkOpenClaims(accountId)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  /**
   * Checks the claims that the service has or may have, and fetches their replacement units. Throws
   * Failure if units couldn't be fetched, once all claims are checked.
   */
  async function checkOpenClaims(accountId: string): Promise<void> {
    const store = storeOf(accountId)
    const open = store
      .all()
      .filter(
        ({ claimId, state, outcome, newKeyId }) =>
          !inFlight.has(claimId) &&
          (state === 'sending' ||
            state === 'unknown' ||
            (state === 'filed' &&
              (outcome === null || (outcome === 'replaced' && newKeyId === null)))),
      )
    if (open.length === 0) return
    // Asked before reading: a claim that landed during the reading can be missing in it.
    const flying = new Set(
      open.flatMap(({ claimId, state }) =>
        state !== 'filed' && isFlying(claimId) ? [claimId] : [],
      ),
    )
    const found = await sandbox.ofKeys(new Set(open.map(({ keyId }) => keyId)))
    let failed: Failure | null = null
    for (const before of open) {
      const now = found.get(before.keyId)
      // What was read says nothing about a claim that was filed again or settled in the meantime.
      const claim = store.one(before.claimId)
      if (
        claim === null ||
        inFlight.has(claim.claimId) ||
        claim.state !== before.state ||
        claim.sentAt !== before.sentAt ||
        claim.outcome !== before.outcome
      )
        continue
      if (now !== undefined) applyState(accountId, claim, now)
      else if (claim.state !== 'filed' && !flying.has(claim.claimId))
        settleUnknown(accountId, claim)
      if (now?.outcome === 'replaced')
        try {
          await fetchReplacement(accountId, claim)
        } catch (error) {
          // Only this claim needs the keys of its order: the other claims can be updated.
          if (!(error instanceof Failure)) throw error
          failed ??= error
        }
      if (now?.outcome === 'refunded' && claim.outcome === null)
        await orders.readBalance(accountId).catch(() => {})
    }
    if (failed !== null) throw failed
  }

  /** Whether a claim can still arrive. */
  function isFlying(claimId: string): boolean {
    flights.meet(claimId)
    return flights.isFlying(claimId)
  }

  /** The service doesn't have the claim: return it to the person, who can file it again. */
  function settleUnknown(accountId: string, claim: ClaimRecord): void {
    const { problem } = failure(
      'NEVER_ARRIVED',
      'The claim never reached the service.',
      'File it again.',
      { effect: 'No claim was made.' },
    )
    storeOf(accountId).become(claim.claimId, 'refused', problem, null)
    context.changes.notify('orders', accountId, claim.orderId)
  }

  function applyState(accountId: string, claim: ClaimRecord, now: DisputeState): void {
    if (
      claim.state === 'filed' &&
      claim.disputeId === now.disputeId &&
      claim.status === now.status &&
      claim.outcome === now.outcome &&
      claim.escalatesAt === now.escalatesAt
    )
      return
    storeOf(accountId).follow(claim.claimId, now)
    if (now.outcome !== null && now.outcome !== claim.outcome) {
      note(accountId, localized('claims.settled', { outcome: now.outcome }), claim)
      context.notices.notify({
        accountId,
        kind: 'claim-settled',
        title: localized('claims.settled-name', {
          outcome: now.outcome,
          name: toClaim(accountId, claim).name,
        }),
        text: outcomeTexts[now.outcome],
        path: `/claims/${encodeURIComponent(claim.claimId)}`,
      })
    }
    context.changes.notify('orders', accountId, claim.orderId)
  }

  /**
   * The order's keys are stored already, so fetching one more records nothing new at the service.
   */
  async function fetchReplacement(accountId: string, claim: ClaimRecord): Promise<void> {
    try {
      vault.assertUnlocked()
    } catch {
      return
    }
    await orders.refetchKeys(accountId, claim.orderId)
    assignReplacement(accountId, claim)
  }

  /** Assigns a stored replacement of the claimed line that no other claim has. */
  function assignReplacement(accountId: string, claim: ClaimRecord): void {
    const line = orders
      .keysOf(accountId, claim.orderId)
      .find(({ keyId }) => keyId === claim.keyId)?.line
    const taken = new Set(
      storeOf(accountId)
        .all()
        .flatMap(({ newKeyId }) => newKeyId ?? []),
    )
    const fresh = orders
      .keysOf(accountId, claim.orderId)
      .find((key) => key.replacement && key.line === line && !taken.has(key.keyId))
    if (fresh === undefined) return
    storeOf(accountId).setNewKey(claim.claimId, fresh.keyId)
    context.changes.notify('orders', accountId, claim.orderId)
  }

  return {
    inFlight,
    /** Claims whose response was lost, and that can still arrive. */
    flights,
    checkOpenClaims,
    followOpenClaims,
  }
}
