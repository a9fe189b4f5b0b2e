import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Keychain } from '../../../src/platform/keychain/keychain.ts'

/** Secrets in a file: a substitute for the OS keychain, which a soak must not fill. */
export function fileKeychain(file: string): Keychain {
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    } catch {
      return {}
    }
  }
  const write = (entries: Record<string, string>): void => {
    // A kill midway leaves either the old or the new file, as a keychain does.
    writeFileSync(`${file}.new`, JSON.stringify(entries))
    renameSync(`${file}.new`, file)
  }
  return {
    probe: async () => ({ available: true, name: 'a file', reason: null }),
    get: async (entry) => read()[entry] ?? null,
    set: async (entry, secret) => write({ ...read(), [entry]: secret }),
    delete: async (entry) =>
      write(Object.fromEntries(Object.entries(read()).filter(([name]) => name !== entry))),
  }
}
