import { randomBytes } from 'node:crypto'
import { withTimeout } from '../with-timeout.ts'
import type { Keychain, KeychainProbe } from './keychain.ts'

type Entry = {
  setPassword(secret: string): Promise<void>
  getPassword(): Promise<string | null>
  deletePassword(): Promise<boolean>
}
type EntryOptions = { linux: { store: 'secret-service' } }
type KeyringModule = {
  AsyncEntry: new (service: string, entry: string, options?: EntryOptions) => Entry
}

/**
 * How long one request to the keychain can take, in milliseconds: long enough for a person to
 * unlock it when the system asks.
 */
const patienceMs = 30_000
const late = 'no response in time'

const names: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Keychain',
  win32: 'Windows Credential Manager',
  linux: 'Secret Service',
}

/**
 * The operating system's keychain. On Linux only a Secret Service is used (GNOME Keyring, KWallet):
 * the kernel's own keyring loses its content at a reboot.
 *
 * @param service the name under which all entries are stored
 */
export function createOsKeychain(
  service = 'Keydesk',
  platform: NodeJS.Platform = process.platform,
): Keychain {
  const name = names[platform] ?? 'keychain'

  async function open(entry: string): Promise<Entry> {
    // Loaded at the first use, so that Keydesk starts even without the native library.
    const { AsyncEntry } = (await import('keytar')) as unknown as KeyringModule
    return platform === 'linux'
      ? new AsyncEntry(service, entry, { linux: { store: 'secret-service' } })
      : new AsyncEntry(service, entry)
  }

  const ask = <T>(entry: string, question: (opened: Entry) => Promise<T>): Promise<T> =>
    withTimeout(open(entry).then(question), patienceMs, late)

  async function probe(): Promise<KeychainProbe> {
    const entry = `probe:${randomBytes(8).toString('hex')}`
    const secret = randomBytes(16).toString('hex')
    try {
      await ask(entry, (opened) => opened.setPassword(secret))
      const kept = await ask(entry, (opened) => opened.getPassword())
      const gone = await ask(entry, (opened) => opened.deletePassword())
      if (kept !== secret || !gone)
        return {
          available: false,
          name,
          reason: `The ${name} returned a different value than it was given.`,
        }
      return { available: true, name, reason: null }
    } catch (error) {
      return { available: false, name, reason: reasonOf(error, name, platform) }
    }
  }

  /**
   * The library also returns "absent" when no service responds, so absence only counts when the
   * keychain is proven to work.
   */
  async function demandProof(): Promise<void> {
    const { available, reason } = await probe()
    if (!available) throw new Error(reason ?? `The ${name} isn’t responding.`)
  }

  return {
    probe,
    async get(entry) {
      const secret = await ask(entry, (opened) => opened.getPassword())
      if (secret === null) await demandProof()
      return secret
    },
    set: (entry, secret) => ask(entry, (opened) => opened.setPassword(secret)),
    async delete(entry) {
      if (!(await ask(entry, (opened) => opened.deletePassword()))) await demandProof()
    },
  }
}

/**
 * One sentence for people. It can include the library's own message, because the library has not
 * received a real secret at this point.
 */
function reasonOf(error: unknown, name: string, platform: NodeJS.Platform): string {
  const words = error instanceof Error ? error.message : String(error)
  if (words === late) return `The ${name} didn’t respond within ${patienceMs / 1000} seconds.`
  if (platform === 'linux')
    return 'No Secret Service is responding in this session: GNOME Keyring or KWallet is missing or locked.'
  return `The ${name} refused to store a secret (${words.split('\n')[0] ?? ''}).`
}
