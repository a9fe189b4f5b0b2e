import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from './atomic-files.ts'

/** Prefix of temporary folders. No snapshot's name starts with it. */
const PREFIX = '.work-'
/** The name of the kept folder, which is no name of a snapshot either. */
const KEPT = '.kept'

/** Temporary folders for unfinished files, on the disk of their final place. */
export interface WorkFolders {
  /** A folder on the same disk for a state that outlives the process. */
  readonly kept: string
  create(): string
  remove(path: string): void
}

/** Temporary folders inside a folder. Those of a killed process are deleted. */
export function createWorkFolders(inside: string): WorkFolders {
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true })
  if (statSync(inside, { throwIfNoEntry: false }))
    for (const name of readdirSync(inside)) if (name.startsWith(PREFIX)) remove(join(inside, name))
  return {
    kept: join(inside, KEPT),
    create() {
      if (mkdirSync(inside, { recursive: true, mode: 0o700 }) !== undefined)
        syncFolder(dirname(inside))
      return mkdtempSync(join(inside, PREFIX))
    },
    remove,
  }
}
