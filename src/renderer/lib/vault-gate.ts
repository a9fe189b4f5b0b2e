import { create } from 'zustand'
import type { Problem } from '../../contract/base.ts'
import { expectDialog } from '../ui/hooks/dialog-stack.ts'
import { keepTyping } from '../ui/hooks/early-typing.ts'
import type { EarlyTyping } from '../ui/hooks/early-typing.ts'
import { problemOf } from './core/problem.ts'
import { rpc } from './core/rpc.ts'

/**
 * A pending request to open the vault. The shell shows a dialog while this is set: for a passphrase,
 * or, with `keychainProblem`, for a vault whose key is in a keychain that can't provide it.
 */
export interface VaultWaiting {
  resolve: (opened: boolean) => void
  keychainProblem: Problem | null
  /** What is typed until the passphrase field has the focus. */
  early: EarlyTyping
}
export const useVaultGate = create<{ waiting: VaultWaiting | null }>(() => ({ waiting: null }))

/**
 * Makes sure the vault is open before keys are imported, downloaded or revealed. Asks for the
 * passphrase if necessary. Returns false when the person declined; the dialog has then already said
 * that nothing was done.
 */
export async function openVault(): Promise<boolean> {
  const closed = expectDialog()
  const early = keepTyping()
  try {
    return await openOrAsk(early)
  } finally {
    early.stop()
    closed()
  }
}

async function openOrAsk(early: EarlyTyping): Promise<boolean> {
  const vault = await rpc.vault.state()
  if (vault.state === 'open') return true
  if (vault.kept === 'keychain') {
    try {
      return (await rpc.vault.unlockWithKeychain()).state === 'open'
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'KEYCHAIN_MISSING' && problem.code !== 'VAULT_KEY_LOST') throw error
      return ask(problem, early)
    }
  }
  return ask(null, early)
}

const ask = (keychainProblem: Problem | null, early: EarlyTyping): Promise<boolean> =>
  new Promise((resolve) => useVaultGate.setState({ waiting: { resolve, keychainProblem, early } }))
