import { randomBytes } from 'node:crypto'
import { inTime } from './in-time.ts'
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
 * How long one question to the keychain may take, in milliseconds: long enough for a person to
 * unlock it when the system asks.
 */
const patienceMs = 30_000
const late = 'no answer in time'

const names: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Keychain',
  win32: 'Windows Credential Manager',
  linux: 'Secret Service',
}

/**
 * The keychain of the operating system. On Linux only a Secret Service counts (GNOME Keyring,
 * KWallet): the kernel's own keyring is emptied by a reboot, so it is never used.
 *
 * @param service the name under which all entries stand
 */
export function createOsKeychain(
  service = 'Keydesk',
  platform: NodeJS.Platform = process.platform,
): Keychain {
  const name = names[platform] ?? 'keychain'

  async function open(entry: string): Promise<Entry> {
    // Loaded at the first use: a machine without the native library still starts.
    const { AsyncEntry } = (await import('keytar')) as unknown as KeyringModule
    return platform === 'linux'
      ? new AsyncEntry(service, entry, { linux: { store: 'secret-service' } })
      : new AsyncEntry(service, entry)
  }

  const ask = <T>(entry: string, question: (opened: Entry) => Promise<T>): Promise<T> =>
    inTime(open(entry).then(question), patienceMs, late)

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
          reason: `The ${name} gave back something else than it was given.`,
        }
      return { available: true, name, reason: null }
    } catch (error) {
      return { available: false, name, reason: reasonOf(error, name, platform) }
    }
  }

  /**
   * The library answers "absent" also where no service answers: absence counts only when the
   * keychain is proven to work.
   */
  async function demandProof(): Promise<void> {
    const { available, reason } = await probe()
    if (!available) throw new Error(reason ?? `The ${name} does not answer.`)
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
 * One sentence for people. The library's own words stand in it only where they can't carry a
 * secret: it is told no secret by then.
 */
function reasonOf(error: unknown, name: string, platform: NodeJS.Platform): string {
  const words = error instanceof Error ? error.message : String(error)
  if (words === late) return `The ${name} did not answer within ${patienceMs / 1000} seconds.`
  if (platform === 'linux')
    return 'No Secret Service answers in this session: there is no GNOME Keyring or KWallet, or it is locked.'
  return `The ${name} refused to keep a secret (${words.split('\n')[0] ?? ''}).`
}
