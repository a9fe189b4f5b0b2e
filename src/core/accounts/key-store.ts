import type { Keychain } from '../../platform/keychain.ts'
import { failure } from '../failure.ts'

const entryOf = (accountId: string): string => `account:${accountId}`

/**
 * API keys in the OS keychain. There is no other place: without a keychain a key lives in memory,
 * when the person chose that.
 */
export function createKeyStore(keychain: Keychain) {
  return {
    /**
     * Null when the keychain has none. Throws Failure `KEYCHAIN_MISSING` where it does not answer.
     */
    async read(accountId: string): Promise<string | null> {
      return keychain.get(entryOf(accountId)).catch(() => {
        throw missing(
          'The keychain that holds this account’s key does not answer.',
          'Unlock or start it and sync again, or enter the key again.',
        )
      })
    },
    /** Throws Failure `KEYCHAIN_MISSING` unless the key can be read back. */
    async write(accountId: string, key: string): Promise<void> {
      try {
        await keychain.set(entryOf(accountId), key)
        if ((await keychain.get(entryOf(accountId))) === key) return
      } catch {
        const { reason } = await keychain.probe()
        throw missing(
          `The key was not kept. ${reason ?? 'The keychain of this machine did not take it.'}`,
          'Start a keychain, or keep the key in memory until Keydesk ends.',
        )
      }
      throw missing(
        'The key was not kept: the keychain gave back something else.',
        'Keep the key in memory until Keydesk ends, or repair the keychain.',
      )
    },
    async remove(accountId: string): Promise<void> {
      await keychain.delete(entryOf(accountId)).catch(() => {
        throw missing(
          'The account was not removed: the keychain that holds its key does not answer.',
          'Unlock or start the keychain, then remove the account again.',
        )
      })
    },
  }
}

const missing = (what: string, next: string) => failure('KEYCHAIN_MISSING', what, next)
