import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} folder
 * @returns {number} total size of its files in bytes; 0 if it doesn't exist. Files that disappear
 * in
 *   between don't count.
 */
export function folderSize(folder) {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.size
  return names(folder).reduce((sum, name) => sum + folderSize(join(folder, name)), 0)
}

/** @param {string} folder */
function names(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
