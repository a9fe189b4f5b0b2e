import { create } from 'zustand'
import { problemOf } from './problem.ts'
import { rpc } from './rpc.ts'

/**
 * Somebody waits for the vault to be opened; the shell shows the passphrase dialog while this is
 * set.
 */
export const useVaultGate = create<{ waiting: { resolve: (opened: boolean) => void } | null }>(
  () => ({ waiting: null }),
)

/**
 * Makes sure the vault is open before keys are imported, downloaded or revealed: at once when it
 * is, else after the person chose or typed the passphrase. False when they declined; the dialog
 * said why nothing was done.
 */
export async function openVault(): Promise<boolean> {
  const vault = await rpc.vault.state()
  if (vault.state === 'open') return true
  if (vault.kept === 'keychain') {
    try {
      return (await rpc.vault.unlockWithKeychain()).state === 'open'
    } catch (error) {
      if (problemOf(error).code !== 'KEYCHAIN_MISSING') throw error
    }
  }
  return new Promise((resolve) => useVaultGate.setState({ waiting: { resolve } }))
}
