import type { Keychain } from '../../platform/keychain/keychain.ts'

/** A keychain that stores its entries in memory; `entries` shows them. */
export function memoryKeychain(): Keychain & { entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    probe: async () => ({ available: true, name: 'Test keychain', reason: null }),
    get: async (entry) => entries.get(entry) ?? null,
    set: async (entry, secret) => void entries.set(entry, secret),
    delete: async (entry) => void entries.delete(entry),
  }
}

/** A computer without a keychain: every call throws. */
export function missingKeychain(): Keychain {
  const none = async (): Promise<never> => {
    throw new Error('no keychain')
  }
  return {
    probe: async () => ({
      available: false,
      name: 'Secret Service',
      reason: 'No Secret Service is responding in this session.',
    }),
    get: none,
    set: none,
    delete: none,
  }
}
