import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'

/** Why the vault can't be used. Nothing has been sent when one of the first three occurs. */
const before = { effect: 'Nothing was sent.' }
export const unsetFailure = (): Failure =>
  failure(
    'VAULT_UNSET',
    'The vault has no passphrase yet, and this computer has no keychain to store its key.',
    'Choose a passphrase for the vault, then try again.',
    before,
  )
export const lockedFailure = (): Failure =>
  failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it, then try again.', before)
export const rekeyingFailure = (): Failure =>
  failure(
    'VAULT_LOCKED',
    'The vault is being encrypted with a new key.',
    'Wait until that’s finished. Queued work resumes automatically.',
    before,
  )
export const damagedFailure = (): Failure =>
  failure(
    'VAULT_DAMAGED',
    'A stored value can’t be read: it was changed or damaged on this computer.',
    'Download it again if the service still has it.',
  )
