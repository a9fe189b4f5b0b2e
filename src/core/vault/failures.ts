import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'

/**
 * What stands in the way of work with the vault, as people are told it. Nothing was sent yet
 * whenever one of the first three comes up.
 */
const before = { effect: 'Nothing was sent.' }
export const unset = (): Failure =>
  failure(
    'VAULT_UNSET',
    'The vault has no passphrase yet, and this machine has no keychain to keep one.',
    'Choose a passphrase for the vault, then try again.',
    before,
  )
export const shut = (): Failure =>
  failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it, then try again.', before)
export const rekeying = (): Failure =>
  failure(
    'VAULT_LOCKED',
    'The vault is getting its new key.',
    'Wait until it has it; what waits goes on by itself.',
    before,
  )
export const damaged = (): Failure =>
  failure(
    'VAULT_DAMAGED',
    'A kept value can’t be read: it was changed or damaged on this machine.',
    'Download it again where the service still has it.',
  )
