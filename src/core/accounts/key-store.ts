import type { Keychain } from '../../platform/keychain/keychain.ts'
import { failure } from '../failure.ts'

const entryOf = (accountId: string): string => `account:${accountId}`

/**
 * API keys in the OS keychain, the only place where they are stored. Without a keychain, a key
 * stays in memory if the person chose that.
 */
export function createKeyStore(keychain: Keychain) {
  return {
    /**
     * Null when the keychain has no key. Throws Failure `KEYCHAIN_MISSING` when it doesn't respond.
     */
    async read(accountId: string): Promise<string | null> {
      return keychain.get(entryOf(accountId)).catch(() => {
        throw missing(
          'The keychain that holds this account’s key isn’t responding.',
          'Unlock or start it and try again, or enter the key again.',
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
          `The key wasn’t saved. ${reason ?? 'This computer’s keychain rejected it.'}`,
          'Start a keychain, or keep the key in memory until Keydesk quits.',
        )
      }
      throw missing(
        'The key wasn’t saved: the keychain returned a different value.',
        'Keep the key in memory until Keydesk quits, or repair the keychain.',
      )
    },
    async remove(accountId: string): Promise<void> {
      await keychain.delete(entryOf(accountId)).catch(() => {
        throw missing(
          'The account wasn’t removed: the keychain that holds its key isn’t responding.',
          'Unlock or start the keychain, then remove the account again.',
        )
      })
    },
  }
}

const missing = (what: string, next: string) => failure('KEYCHAIN_MISSING', what, next)
