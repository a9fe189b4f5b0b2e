import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../durable-files.ts'

/**
 * A free name next to a damaged file, with the time: `a.db.damaged-2026-11-24T09-30-00Z`. A later
 * copy never replaces an earlier one.
 */
export function damagedName(file: string, now: number): string {
  const time = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  for (let no = 1; ; no += 1) {
    const name = `${file}.damaged-${time}${no === 1 ? '' : `-${no}`}`
    if (!existsSync(name)) return name
  }
}

/** Renames a damaged file, together with its log. Returns its new name. */
export function setAside(file: string, now: number): string {
  const aside = damagedName(file, now)
  for (const suffix of ['', '-wal'])
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  for (const suffix of ['-shm', '-journal']) rmSync(file + suffix, { force: true })
  // The file's successor must not meet the old log.
  syncFolder(dirname(file))
  return aside
}
