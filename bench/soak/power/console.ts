/*
 * A console without a keychain as a separate process, whose every change of the disk is recorded:
 * reads one line of JSON, then a person works in it with the vault, or with a backup. Before and
 * after each answer that must survive a power loss, it writes a line.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '../../../src/core/backup/backup.ts'
import { dataFolderSchemas } from '../../../src/core/open-data-folder.ts'
import type { CoreServices } from '../../../src/core/core-services.ts'
import type { Host } from '../../../src/platform/host.ts'
import { createReporter, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'
import {
  accountIds,
  addAccounts,
  cost,
  openServices,
  storeKey,
  storedSchemas,
  writePlans,
} from '../vault/stored-keys.ts'

/** `restart`: starts on the folder that a work with backups left, and opens the vault. */
export type ConsoleOptions = ConsoleFolder & {
  work: 'vault' | 'backup' | 'restart'
  /** The passphrases of the vault, one after another. */
  passphrases: string[]
  /** A planted defect: stored keys don't wait for the disk. */
  hasty?: boolean
}
export type Said =
  | { accounts: true }
  /** The vault is about to have this passphrase, and has it. */
  | { protecting: string }
  | { protectedBy: string }
  /** A key, or the plans of imports, are stored. */
  | { stored: string }
  | { planned: true }
  /** A backup of everything so far exists; it is about to be restored, and will be. */
  | { backedUp: true }
  | { restoring: true }
  | { restored: true }

const BACKUP_PASSPHRASE = 'of the backup'
const KEYS_A_TURN = 4
const say = createReporter<Said>()

/** The host of a computer without a keychain, so that the vault needs a passphrase. */
export function withoutKeychain(folder: ConsoleFolder): Host {
  return {
    ...soakHost(folder),
    keychain: {
      probe: async () => ({ available: false, name: 'none', reason: 'There is none.' }),
      get: async () => null,
      set: () => Promise.reject(new Error('no keychain')),
      delete: async () => {},
    },
  }
}

function storeKeys(ground: CoreServices, turn: string): void {
  for (let index = 0; index < KEYS_A_TURN; index += 1) {
    const accountId = accountIds[index % accountIds.length] ?? ''
    storeKey(ground, accountId, `${turn}-${index}`)
    say({ stored: `${accountId} ${turn}-${index}` })
  }
}

async function changePassphrase(ground: CoreServices, from: string, to: string): Promise<void> {
  say({ protecting: to })
  await ground.vault.changeProtection(from, { kept: 'passphrase', passphrase: to })
  say({ protectedBy: to })
}

async function setUp(ground: CoreServices, dataDir: string, passphrase: string): Promise<void> {
  say({ protecting: passphrase })
  await ground.vault.choosePassphrase(passphrase)
  say({ protectedBy: passphrase })
  writePlans(ground, dataDir)
  say({ planned: true })
}

/** Sets the vault up, then locks, unlocks, re-keys and changes its passphrase. */
async function useVault(ground: CoreServices, options: ConsoleOptions): Promise<void> {
  const { dataDir, passphrases } = options
  let current = passphrases[0] ?? ''
  await setUp(ground, dataDir, current)
  for (const [turn, next] of passphrases.slice(1).entries()) {
    storeKeys(ground, String(turn))
    ground.vault.lock()
    await ground.vault.unlock(current)
    await changePassphrase(ground, current, next)
    current = next
    storeKeys(ground, `${turn}-again`)
    await ground.vault.rekey(current)
    await ground.vault.resumeRekeying()
  }
}

const backupOf = (ground: CoreServices) =>
  createBackup({
    context: ground.context,
    vault: ground.vault,
    schemas: [...dataFolderSchemas, ...storedSchemas],
    cost,
    presentAddresses: () => new Map(accountIds.map((id) => [id, 'http://127.0.0.1:9'])),
  })

/** Backs everything up, works on, and schedules the backup's restoration. */
async function useBackup(ground: CoreServices, options: ConsoleOptions): Promise<void> {
  const { dataDir, passphrases } = options
  const [first = '', second = ''] = passphrases
  await setUp(ground, dataDir, first)
  storeKeys(ground, 'before')
  const backup = backupOf(ground)
  const { backupId, bytes } = await backup.create({ passphrase: BACKUP_PASSPHRASE })
  const parts: Buffer[] = []
  for (let offset = 0; offset < bytes; offset += parts.at(-1)?.length ?? 0)
    parts.push(Buffer.from(backup.read({ backupId, offset }).base64, 'base64'))
  say({ backedUp: true })
  storeKeys(ground, 'after')
  await changePassphrase(ground, first, second)
  let restoreId: string | null = null
  let offset = 0
  for (const part of parts) {
    restoreId = backup.upload({ restoreId, offset, base64: part.toString('base64') }).restoreId
    offset += part.length
  }
  await backup.check({ restoreId: restoreId ?? '', passphrase: BACKUP_PASSPHRASE })
  say({ restoring: true })
  backup.restore({ restoreId: restoreId ?? '' })
  say({ restored: true })
}

async function main(options: ConsoleOptions): Promise<void> {
  const host = withoutKeychain(options)
  if (!existsSync(path.join(options.dataDir, 'keydesk.db'))) {
    const laid = openServices(host)
    laid.quiet()
    laid.close()
    addAccounts(options.dataDir)
    say({ accounts: true })
  }
  const ground = openServices(host)
  if (options.hasty === true)
    for (const accountId of accountIds)
      ground.context.mirrors.database(accountId).pragma('journal.synchronous = OFF')
  await ground.start()
  if (options.work === 'restart') {
    await ground.vault.unlock(options.passphrases[0] ?? '')
    storeKeys(ground, 'restored')
  } else if (options.work === 'vault') await useVault(ground, options)
  else await useBackup(ground, options)
  ground.quiet()
  ground.close()
}

if (process.argv[1] === import.meta.filename) runSoakConsole(main)
