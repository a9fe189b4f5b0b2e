import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { backupSummarySchema } from '../../contract/app/backup.ts'
import { makeFolder, syncFolder, writeAtomically } from '../durable-files.ts'
import { REPLACED, WORK, dataEntries } from './folder.ts'

const markerSchema = backupSummarySchema.extend({
  /** The folder that the replaced data moves to. */
  aside: z.string().regex(/^replaced-[0-9TZ-]+$/),
})
export type RestoreMarker = z.infer<typeof markerSchema>

/** The folder with the new data until it replaces the current data. */
export const newDataPath = (dataDir: string): string => join(dataDir, WORK, 'new')
const markerPath = (dataDir: string): string => join(dataDir, WORK, 'ready')
const movedMarkerPath = (dataDir: string): string => join(dataDir, WORK, 'moved')

/** The folder name for data that is replaced now; names sort by time. */
export const replacedName = (now: number): string =>
  `${REPLACED}${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Schedules the new data to replace the current data at the next start. */
export function scheduleRestore(dataDir: string, mark: RestoreMarker): void {
  const unpacked = newDataPath(dataDir)
  for (const entry of readdirSync(unpacked, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  syncFolder(unpacked)
  writeAtomically(markerPath(dataDir), JSON.stringify(mark))
}

/** The data that replaces the current data at the next start; null for none. */
export function scheduledRestore(dataDir: string): RestoreMarker | null {
  try {
    return markerSchema.parse(JSON.parse(readFileSync(markerPath(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/**
 * Replaces the current data with checked data before any of it is opened. The replaced data moves
 * to its own folder. If Keydesk is killed midway, or the computer loses power, the next call
 * continues: it first moves all old data out, then all new data in. Without a marker file it deletes
 * everything unfinished, and the data stays. `step` is called before each move (for tests).
 */
export function applyScheduledRestore(
  dataDir: string,
  step: (what: string) => void = () => {},
): RestoreMarker | null {
  const mark = scheduledRestore(dataDir)
  if (mark === null) {
    rmSync(join(dataDir, WORK), { recursive: true, force: true })
    return null
  }
  const aside = join(dataDir, mark.aside)
  if (!existsSync(movedMarkerPath(dataDir))) {
    makeFolder(aside)
    for (const name of dataEntries(dataDir)) {
      step(`out ${name}`)
      renameSync(join(dataDir, name), join(aside, name))
    }
    // The marker must not reach the disk before the moves.
    syncFolder(aside)
    syncFolder(dataDir)
    step('moved')
    writeAtomically(movedMarkerPath(dataDir), '')
  }
  for (const name of readdirSync(newDataPath(dataDir))) {
    step(`in ${name}`)
    renameSync(join(newDataPath(dataDir), name), join(dataDir, name))
  }
  syncFolder(dataDir)
  step('done')
  // Remove the marker first: without it nothing is moved again.
  rmSync(markerPath(dataDir))
  syncFolder(join(dataDir, WORK))
  rmSync(join(dataDir, WORK), { recursive: true, force: true })
  return mark
}
