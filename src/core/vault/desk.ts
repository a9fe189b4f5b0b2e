import type { Host } from '../../platform/host.ts'
import type { Account } from '../../contract/accounts.ts'
import type { CoreContext } from '../context.ts'
import { createExports } from './exports.ts'
import { createLocking } from './locking.ts'
import type { ScryptCost } from './passphrase.ts'
import type { VaultDesk } from './router.ts'
import type { DeskStock } from './sealed-stock.ts'
import { createSecretClipboard } from './secret-clipboard.ts'
import type { VaultFeature } from './vault.ts'
import { findSecrets } from './whereabouts.ts'

type Parts = {
  context: Omit<CoreContext, 'host'>
  host: Host
  vault: VaultFeature
  stock: DeskStock
  accounts: () => Account[]
  cost?: ScryptCost | undefined
}

/**
 * What people do with the vault beyond unlocking it: automatic locking, exports, the clipboard, and
 * the inventory of secrets.
 */
export function createVaultDesk({
  context,
  host,
  vault,
  stock,
  accounts,
  cost,
}: Parts): VaultDesk & { begin(): void; end(): Promise<void> } {
  const { clock, settings, jobs, changes, report } = context
  const clipboard = createSecretClipboard(clock, host.clipboard, report)
  const exports = createExports(context, accounts, stock.exported, cost)
  const locking = createLocking({
    clock,
    power: host.power,
    minutes: () => settings.get().lockMinutes,
    jobs: () => jobs.list(),
    isOpen: () => vault.state().state === 'open',
    lock: (by) => void vault.lock(by),
  })
  vault.onLock(() => {
    exports.close()
    void clipboard.clear()
  })
  vault.onOpen(locking.used)
  return {
    vault,
    exports,
    clipboard,
    used: locking.used,
    listSecrets: () => findSecrets({ host, accounts, stock, vaultEntry: vault.entry }),
    removeCopies(): void {
      stock.removeCopies()
      changes.notify('vault')
    },
    begin: locking.begin,
    async end(): Promise<void> {
      locking.end()
      await clipboard.clear()
    },
  }
}
