/**
 * The sandbox's database in its data folder, which consoles back up before a newer service migrates
 * it.
 */
export const sandboxDatabase = {
  file: 'keydesk.sqlite',
  /** The version of its schema that this service writes. */
  version: 8,
} as const
