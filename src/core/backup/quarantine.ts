import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { BackupSummary } from '../../contract/app/backup.ts'
import { holdAddress } from '../accounts/accounts.ts'
import { createChanges } from '../changes.ts'
import { quarantineNetwork } from '../network/network.ts'
import { createSettings } from '../settings/settings.ts'

type Row = {
  id: string
  name: string
  role: string
  mode: string
  baseUrl: string
  demo: string | null
}

/**
 * Makes checked data harmless before it replaces the current data, so that no kill can leave it in
 * use: its network settings wait until a person adopts them, and an account with another address
 * than now sends no key until a person confirms it. Returns what the data contains.
 *
 * @param present the addresses of the current accounts, by account id
 */
export function quarantine(
  folder: string,
  present: ReadonlyMap<string, string>,
): Pick<BackupSummary, 'accounts' | 'network'> {
  const database = new SqliteDatabase(join(folder, 'keydesk.db'))
  try {
    const settings = createSettings(database, createChanges())
    const accounts = database
      .prepare<[], Row>(
        'SELECT id, name, role, mode, base_url AS baseUrl, demo FROM account ORDER BY created_at',
      )
      .all()
      .map(({ id, demo, ...shown }) => {
        const before = present.get(id) ?? shown.baseUrl
        // The sandbox of a demo account chooses a new address at each start.
        const isChanged = before !== shown.baseUrl && demo === null
        if (isChanged) holdAddress(settings, id, before)
        return { ...shown, addressBefore: isChanged ? before : null }
      })
    return { accounts, network: quarantineNetwork(settings) }
  } finally {
    database.close()
  }
}
