import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} folder
 * @returns {number} bytes of all files below it; 0 where there is none. Files that vanish meanwhile
 *   don't count.
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
