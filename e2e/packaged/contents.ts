import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as asar from '@electron/asar'

/** A file in the archive of a packed app. */
export type PackedFile = {
  path: string
  /** It is a file beside the archive, not in it. */
  unpacked: boolean
  /** Electron compares it with the bytes that it reads. */
  hash: string | undefined
}

/** All files of an archive, with `/` between folders. */
export function filesOf(archive: string): PackedFile[] {
  return asar.listPackage(archive, { isPack: false }).flatMap((listed) => {
    const path = listed.slice(1).replaceAll('\\', '/')
    const entry = asar.statFile(archive, path)
    if (!('size' in entry)) return []
    return [{ path, unpacked: entry.unpacked === true, hash: entry.integrity?.hash }]
  })
}

/** The bytes of a file in the archive, or beside it. */
export const bytesOf = (archive: string, path: string): Buffer => asar.extractFile(archive, path)

/**
 * Copies a packed app to a folder in which Node can start it: the archive becomes a folder of the
 * same name, with only its real contents. Node doesn't read archives as Electron does.
 *
 * @returns the folder that replaces the archive
 */
export function startableCopy(resources: string, target: string): string {
  rmSync(target, { recursive: true, force: true })
  const archive = join(resources, 'app.asar')
  const app = join(target, 'app.asar')
  for (const { path, unpacked } of filesOf(archive)) {
    if (unpacked && path !== 'package.json') continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), bytesOf(archive, path))
  }
  cpSync(join(resources, 'app.asar.unpacked'), join(target, 'app.asar.unpacked'), {
    recursive: true,
  })
  return app
}
