import type { Access } from '../api/access.ts'
import type { Handlers } from '../api/handlers.ts'
import { type DemoKeys, issueDemoKeys } from './access/demo-keys.ts'
import type { ServiceClock } from './clock/service-clock.ts'
import { type Faults } from './faults/faults.ts'
import { dashboardPartnerHandlers, dashboardSellerHandlers } from './handlers/dashboard-accounts.ts'
import { dashboardBalanceHandlers } from './handlers/dashboard-balance.ts'
import { dashboardControlHandlers } from './handlers/dashboard-control.ts'
import { disputeHandlers } from './handlers/disputes.ts'
import { faultHandlers } from './handlers/faults.ts'
import { marketHandlers } from './handlers/market.ts'
import { partnerHandlers } from './handlers/partner.ts'
import { sellerHandlers } from './handlers/seller.ts'
import { sellerMoneyHandlers } from './handlers/seller-money.ts'
import { snapshotHandlers } from './handlers/snapshots.ts'
import { webhookHandlers } from './handlers/webhooks.ts'
import type { SeedOptions } from './ports/seeding.ts'
import { createServiceParts, type ServiceParts, type ServicePartsOptions } from './service-parts.ts'
import type { SeedWorldOptions } from './seeding/initial-states.ts'
import { createServiceState, type ServiceState } from './service-state.ts'

export interface ServiceOptions extends ServicePartsOptions, SeedWorldOptions {}

export interface Service {
  readonly handlers: Handlers
  readonly access: Access
  /** The service's time, for everything that depends on it, including rate windows. */
  readonly clock: Pick<ServiceClock, 'now' | 'offset'>
  /** The faults injected into requests. */
  readonly faults: Pick<Faults, 'takeFor' | 'set'>
  /**
   * Seeds an empty database, proves the ledger since its last checkpoint (throws
   * LedgerBrokenError), issues the demo accounts' keys, and starts to run due work. Orders that a
   * kill interrupted are finished.
   */
  start(world: SeedOptions): { demo: DemoKeys | null }
  /** Runs all work that is due now. */
  settle(): Promise<void>
  /** Refreshes everything cached outside the store, after its state was replaced. */
  reload(): void
  /**
   * Responds to waiting callers, ends the current work and stores when keys were last used. The
   * store stays open.
   */
  stop(): Promise<void>
}

/** The books do not add up, so nothing may be sold from this database. */
export class LedgerBrokenError extends Error {
  override readonly name = 'LedgerBrokenError'
}

/** The complete service on top of a store. */
export function createService(options: ServiceOptions): Service {
  const service = createServiceParts(options)
  const { parts, clock, faults, scheduler, webhookSending, completions } = service
  const { keys, ledger } = parts
  const state = createServiceState(service, options)

  return {
    clock,
    faults,
    access: keys,
    handlers: handlersOf(service, state),
    start(world) {
      state.seedIfEmpty(world)
      const proof = ledger.proveRecent()
      if (!proof.ok) throw new LedgerBrokenError(`The ledger is broken: ${proof.problem ?? ''}.`)
      ledger.checkpoint()
      const demo = issueDemoKeys(parts.context, keys)
      scheduler.start()
      return { demo }
    },
    settle: scheduler.settle,
    reload: state.reload,
    async stop() {
      completions.closeAll()
      await scheduler.stop()
      await webhookSending.abort()
      keys.flush()
      ledger.checkpoint()
    },
  }
}

function handlersOf(
  { parts, clock, faults, scheduler, marketService, snapshots }: ServiceParts,
  { reset, restore }: ServiceState,
): Handlers {
  return {
    ...partnerHandlers(parts),
    ...sellerHandlers(parts),
    ...sellerMoneyHandlers(parts),
    ...disputeHandlers(parts),
    ...webhookHandlers(parts),
    ...faultHandlers(faults),
    ...marketHandlers(parts.context.store, marketService, scheduler.wake),
    ...snapshotHandlers(snapshots, restore),
    ...dashboardPartnerHandlers(parts),
    ...dashboardSellerHandlers(parts),
    ...dashboardBalanceHandlers(parts),
    ...dashboardControlHandlers(parts, { clock, scheduler, reset }),
  }
}
