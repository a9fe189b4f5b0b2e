import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Account } from '../../../contract/app/accounts.ts'
import type { SecretFile, SecretInventory } from '../../../contract/app/vault.ts'
import type { Host } from '../../../platform/host.ts'
import type { SealedValues } from '../values/sealed-value-store.ts'

type Parts = {
  host: Pick<Host, 'dataDir' | 'keychain'>
  accounts: () => Account[]
  stock: Pick<SealedValues, 'counts'>
  vaultEntry: () => string | null
}

/** Where API keys and game keys are on this computer, checked at the time of the call. */
export async function listSecrets({
  host,
  accounts,
  stock,
  vaultEntry,
}: Parts): Promise<SecretInventory> {
  const { dataDir, keychain } = host
  return {
    keychain: await keychain.probe(),
    dataFolder: dataDir,
    accounts: accounts().map(({ id, name, keyKept }) => ({
      accountId: id,
      name,
      keyKept,
      entry: keyKept === 'keychain' ? `account:${id}` : null,
      sealed: stock.counts(id).flatMap(([kind, count]) => (count === 0 ? [] : [{ kind, count }])),
    })),
    vaultEntry: vaultEntry(),
    files: filesIn(dataDir, new Map(accounts().map(({ id, name }) => [id, name]))),
    sandboxKey: existsSync(join(dataDir, 'sandbox', 'seal.key')),
  }
}

type Kind = Pick<SecretFile, 'holds' | 'secret' | 'copy'> & { path: string }
const none = (path: string, holds: string): Kind => ({ path, holds, secret: 'none', copy: false })
const sealed = (path: string, holds: string): Kind => ({
  path,
  holds,
  secret: 'sealed',
  copy: false,
})
const copy = (path: string, holds: string): Kind => ({ path, holds, secret: 'sealed', copy: true })

/** The kind of a file in the data folder, by its path. Files of one kind share one `path`. */
function kindOf(file: string, nameOf: (accountId: string) => string): Kind {
  // SQLite's additional files belong to their database.
  const path = file.replace(/-(?:wal|shm|journal)$/, '')
  const [top = '', second = ''] = path.split('/')
  const account = nameOf(second.split('.db', 1)[0] ?? '')
  if (path.endsWith('.before-update'))
    return copy(path, 'A copy from before an update of the tables')
  if (/^keydesk\.db\.(?:damaged|repair)/.test(path))
    return copy(path, 'A damaged database, set aside')
  if (/\.damaged/.test(path)) return copy(path, `A damaged file of ${account}, set aside`)
  switch (top) {
    case 'journals':
      return sealed(path, `Journal of ${account}: stored keys, drafts and unfinished work`)
    case 'mirrors':
      return sealed(
        path,
        `Mirror of ${account}: offers and orders unencrypted, texts of disputes encrypted`,
      )
    case 'catalogues':
      return none(path, `Catalogue of ${account}, as the service provides it`)
    case 'spool':
      return sealed(`spool/${second}`, `Key files of ${account} until they are uploaded`)
    case 'covers':
      return none('covers', 'Catalogue pictures')
    case 'logs':
      return none('logs', 'Errors, with every known secret masked')
    case 'sandbox':
      return second === 'seal.key'
        ? {
            path,
            holds: 'The key of the sandbox’s test keys, unencrypted because the sandbox needs it',
            secret: 'clear',
            copy: false,
          }
        : sealed('sandbox', 'The sandbox’s database: test keys, encrypted with the key next to it')
    case '.backup':
      return sealed(
        '.backup',
        'A backup being created or restored, encrypted, and its unpacked data until the next start',
      )
    case 'window.json':
      return none(path, 'Position and size of the window')
    case 'opened-by.json':
      return none(path, 'The version of Keydesk that last used this folder')
    case 'console.lock':
    case 'console.json':
      return none('console.lock, console.json', 'The console that uses this folder')
  }
  if (top.startsWith('before-update-')) return copy(`${top}/`, 'The data from before an update')
  if (top.startsWith('replaced-')) return sealed(`${top}/`, 'Data that a restore replaced')
  if (top.startsWith('keydesk.keep'))
    return sealed(path, 'Safety copy of the accounts with masked keys, and of the vault’s key')
  if (top.startsWith('keydesk.db'))
    return sealed(
      path,
      'Accounts with masked keys, settings, activity, how the vault’s key is stored',
    )
  return {
    path,
    holds: 'Not Keydesk’s: Keydesk doesn’t recognize this file',
    secret: 'unknown',
    copy: false,
  }
}

function filesIn(dataDir: string, names: ReadonlyMap<string, string>): SecretFile[] {
  const rows = new Map<string, SecretFile>()
  const windows = process.platform === 'win32'
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const found = statSync(full, { throwIfNoEntry: false })
    if (found === undefined) continue
    const kind = kindOf(
      relative(dataDir, full).split(sep).join('/'),
      (id) => names.get(id) ?? 'a removed account',
    )
    const bits = found.mode & 0o777
    const before = rows.get(kind.path)
    rows.set(kind.path, {
      ...kind,
      count: (before?.count ?? 0) + 1,
      bytes: (before?.bytes ?? 0) + found.size,
      mode: windows
        ? null
        : combinedBits(before?.mode ?? null, bits)
            .toString(8)
            .padStart(3, '0'),
      open: before?.open === true || (!windows && (bits & 0o077) !== 0),
    })
  }
  const order = { clear: 0, sealed: 1, unknown: 2, none: 3 } as const
  return [...rows.values()].sort(
    (a, b) =>
      order[a.secret] - order[b.secret] ||
      Number(a.copy) - Number(b.copy) ||
      (a.path < b.path ? -1 : 1),
  )
}

const combinedBits = (before: string | null, bits: number): number =>
  before === null ? bits : Number.parseInt(before, 8) | bits
