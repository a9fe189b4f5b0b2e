/**
 * The sandbox's database in its data folder, which consoles back up before a newer service migrates
 * it.
 */
export const sandboxDatabase = {
  file: 'keydesk.sqlite',
  /** The version of its schema that this service writes. */
  version: 8,
} as const

/**
 * How the names of snapshots begin that a console saves automatically. Backups don't contain them.
 */
export const automaticSnapshot = '_back-'
