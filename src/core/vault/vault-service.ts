import type { Host } from '../../platform/host.ts'
import type { Account } from '../../contract/app/accounts.ts'
import type { VaultContext } from './context.ts'
import { createExports } from './exports/exports.ts'
import { createLocking } from './protection/locking.ts'
import type { ScryptCost } from './keys/passphrase.ts'
import type { VaultService } from './router.ts'
import type { SealedValues } from './values/sealed-value-store.ts'
import { createSecretClipboard } from './protection/secret-clipboard.ts'
import type { VaultFeature } from './vault.ts'
import { listSecrets } from './protection/secret-inventory.ts'

type Parts = {
  context: VaultContext
  host: Host
  vault: VaultFeature
  stock: SealedValues
  accounts: () => Account[]
  cost?: ScryptCost | undefined
}

/**
 * What people do with the vault beyond unlocking it: automatic locking, exports, the clipboard, and
 * the inventory of secrets.
 */
export function createVaultService({
  context,
  host,
  vault,
  stock,
  accounts,
  cost,
}: Parts): Omit<VaultService, 'passphrases'> & { start(): void; end(): Promise<void> } {
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
  vault.onOpen(locking.reportUse)
  return {
    vault,
    exports,
    clipboard,
    reportUse: locking.reportUse,
    listSecrets: () => listSecrets({ host, accounts, stock, vaultEntry: vault.entry }),
    removeCopies(): void {
      stock.removeCopies()
      changes.notify('vault')
    },
    start: locking.start,
    async end(): Promise<void> {
      locking.stop()
      await clipboard.clear()
    },
  }
}
