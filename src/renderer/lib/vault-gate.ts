import { create } from 'zustand'
import type { Problem } from '../../contract/base.ts'
import { expectDialog } from '../ui/hooks/dialog-stack.ts'
import { problemOf } from './core/problem.ts'
import { rpc } from './core/rpc.ts'

/**
 * A pending request to open the vault. The shell shows a dialog while this is set: for a passphrase,
 * or, with `keychainProblem`, for a vault whose key is in a keychain that can't provide it.
 */
export interface VaultWaiting {
  resolve: (opened: boolean) => void
  keychainProblem: Problem | null
}
export const useVaultGate = create<{ waiting: VaultWaiting | null }>(() => ({ waiting: null }))

/**
 * Makes sure the vault is open before keys are imported, downloaded or revealed. Asks for the
 * passphrase if necessary. Returns false when the person declined; the dialog has then already said
 * that nothing was done.
 */
export async function openVault(): Promise<boolean> {
  const closed = expectDialog()
  try {
    return await openOrAsk()
  } finally {
    closed()
  }
}

async function openOrAsk(): Promise<boolean> {
  const vault = await rpc.vault.state()
  if (vault.state === 'open') return true
  if (vault.kept === 'keychain') {
    try {
      return (await rpc.vault.unlockWithKeychain()).state === 'open'
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'KEYCHAIN_MISSING' && problem.code !== 'VAULT_KEY_LOST') throw error
      return ask(problem)
    }
  }
  return ask(null)
}

const ask = (keychainProblem: Problem | null): Promise<boolean> =>
  new Promise((resolve) => useVaultGate.setState({ waiting: { resolve, keychainProblem } }))
