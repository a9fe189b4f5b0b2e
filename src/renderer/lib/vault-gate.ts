import { create } from 'zustand'
import { problemOf } from './core/problem.ts'
import { rpc } from './core/rpc.ts'

/** A pending request to open the vault. The shell shows the passphrase dialog while this is set. */
export const useVaultGate = create<{ waiting: { resolve: (opened: boolean) => void } | null }>(
  () => ({ waiting: null }),
)

/**
 * Makes sure the vault is open before keys are imported, downloaded or revealed. Asks for the
 * passphrase if necessary. Returns false when the person declined; the dialog has then already said
 * that nothing was done.
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
