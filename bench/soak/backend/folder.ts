/** The data folder itself: no extra files, and an intact database. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { Findings } from './findings.ts'

const expected = [
  /^keydesk\.sqlite(?:-wal|-shm|\.before-update-\d+)?$/,
  /^keydesk\.lock(?:-journal)?$/,
  /^(?:seal|proof)\.key$/,
  /^snapshots(?:\/[\w-]+\.sqlite)?$/,
]

/** Reads while the service is running; writes nothing. */
export function checkFolder(folder: string, findings: Findings): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (!expected.some((pattern) => pattern.test(name)))
      findings.wrong(`${name} was left in the data folder`)
  const database = new Database(path.join(folder, 'keydesk.sqlite'), { readonly: true })
  try {
    const integrity = database.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') findings.wrong(`the database is damaged: ${String(integrity)}`)
    const dangling = database.pragma('foreign_key_check')
    if (Array.isArray(dangling) && dangling.length > 0)
      findings.wrong(`${dangling.length} rows have broken references`)
    if (database.pragma('journal_mode', { simple: true }) !== 'wal')
      findings.wrong('the database has no write-ahead log')
  } finally {
    database.close()
  }
}
