import { os } from '@orpc/server'
import { failure } from '../../failure.ts'

/**
 * The procedures that a read-only console serves: those that read, and a few that change only the
 * copy, such as the window's layout.
 */
const served: Readonly<Record<string, readonly string[]>> = {
  app: [
    'info',
    'settings',
    'tables',
    'saveTable',
    'changeSettings',
    'diskSpace',
    'jobs',
    'activity',
    'markViewed',
    'changes',
  ],
  activity: ['list', 'removedAccounts', 'export'],
  recovery: ['state', 'open', 'quit'],
  diagnostics: ['make'],
  accounts: ['list', 'connection'],
  vault: [
    'state',
    'unlock',
    'lock',
    'unlockWithKeychain',
    'reportUse',
    'recoveryCopy',
    'export',
    'openExport',
    'revealExported',
    'closeExport',
    'secretInventory',
    'copy',
  ],
  secondProof: ['state', 'prove'],
  passphrases: ['estimate', 'generate'],
  sandbox: ['state'],
  catalogue: ['search', 'counts', 'product', 'sync'],
  offers: [
    'list',
    'position',
    'ids',
    'table',
    'savedViews',
    'offer',
    'bulk.list',
    'bulk.results',
    'withdrawals.list',
    'withdrawals.keys',
    'withdrawals.reveal',
    'withdrawals.export',
  ],
  notices: ['list', 'markSeen'],
  network: ['state'],
  updates: ['state'],
  imports: [
    'list',
    'get',
    'profiles',
    'lines',
    'outcomes',
    'exportUnaccepted',
    'exportReport',
    'exportRemaining',
    'exportUndo',
    'exportRefused',
    'report',
  ],
  batches: ['list', 'batch'],
  keyHistory: ['find', 'ofSale'],
  orders: [
    'list',
    'exportList',
    'order',
    'attempts',
    'revealKey',
    'keysText',
    'exportKeys',
    'keys',
    'keyRefs',
    'describeKeys',
    'keysOfOrders',
    'exportSelectedKeys',
    'orderIds',
    'bulks',
    'bulk',
    'bulkResults',
    'exportBulk',
  ],
  claims: ['list', 'claim', 'file'],
  spending: ['balance', 'spent', 'ledger', 'export'],
  webhookInspector: ['events', 'event', 'receiver'],
  sales: ['list', 'export', 'sale', 'earned', 'pending', 'releases'],
  disputes: [
    'list',
    'dispute',
    'markRead',
    'templates',
    'savedViews',
    'evidence',
    'evidenceUnmasked',
    'alarms',
    'report',
  ],
  balance: ['now', 'history'],
  outbox: ['list', 'entry'],
  priceWatch: [
    'overview',
    'market',
    'offer',
    'rules',
    'choices',
    'decisions',
    'exportDecisions',
    'sends',
    'simulation.get',
    'simulation.list',
  ],
}

/** Whether a procedure only reads, or changes nothing but what a read-only console may change. */
export const isReading = ([feature = '', ...rest]: readonly string[]): boolean =>
  served[feature]?.includes(rest.join('.')) === true

/** Refuses every procedure that would change or send something. */
export const readOnlyGuard = os
  .$context<Record<never, never>>()
  .middleware(async ({ next, path }) => {
    if (!isReading(path))
      throw failure(
        'READ_ONLY',
        'Keydesk is open read-only.',
        'Choose how to continue with your data first.',
        { effect: 'Nothing was changed or sent.' },
      )
    return next()
  })

/** Serves every procedure. */
export const passThrough = os.$context<Record<never, never>>().middleware(({ next }) => next())
