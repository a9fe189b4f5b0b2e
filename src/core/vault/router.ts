import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { VaultFeature } from './vault.ts'

/** How the vault answers the contract. */
export function createVaultRouter(vault: VaultFeature) {
  const os = implement(contract.vault)
  return os.router({
    state: os.state.handler(() => vault.state()),
    choosePassphrase: os.choosePassphrase.handler(({ input }) => vault.choosePassphrase(input.passphrase)),
    unlock: os.unlock.handler(({ input }) => vault.unlock(input.passphrase)),
    lock: os.lock.handler(() => vault.lock()),
    unlockWithKeychain: os.unlockWithKeychain.handler(() => vault.unlockWithKeychain()),
  })
}
