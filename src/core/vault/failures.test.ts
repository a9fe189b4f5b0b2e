import { expect, test } from 'vitest'
import { damagedFailure, lockedFailure, rekeyingFailure, unsetFailure } from './failures.ts'

test.each([
  [
    unsetFailure(),
    {
      code: 'VAULT_UNSET',
      what: 'The vault has no passphrase yet, and this computer has no keychain to store its key.',
      effect: 'Nothing was sent.',
      next: 'Choose a passphrase for the vault, then try again.',
    },
  ],
  [
    lockedFailure(),
    {
      code: 'VAULT_LOCKED',
      what: 'The vault is locked.',
      effect: 'Nothing was sent.',
      next: 'Unlock it, then try again.',
    },
  ],
  [
    rekeyingFailure(),
    {
      code: 'VAULT_LOCKED',
      what: 'The vault is being encrypted with a new key.',
      effect: 'Nothing was sent.',
      next: 'Wait until that’s finished. Queued work resumes automatically.',
    },
  ],
  [
    damagedFailure(),
    {
      code: 'VAULT_DAMAGED',
      what: 'A stored value can’t be read: it was changed or damaged on this computer.',
      next: 'Download it again if the service still has it.',
    },
  ],
])('explains why the vault can’t be used: %s', ({ problem }, expected) => {
  expect(problem).toMatchObject(expected)
})
