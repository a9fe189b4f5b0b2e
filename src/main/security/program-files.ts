import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** An entry of an archive's header: a folder, or a file, which can be beside the archive. */
type Entry = {
  files?: Record<string, Entry>
  unpacked?: boolean
  integrity?: { hash: string }
}

/** Files that Node loads if they are in the right place. */
const code = /\.(?:[cm]?js|json|node)$/

/**
 * Compares the programs beside the app's archive with the hashes in it. Electron itself checks only
 * the archive, before main runs. A program that the archive doesn't list would be found, too, such
 * as another package in a nearer node_modules.
 *
 * @param archive path of the archive; beside it is the folder `….unpacked`
 * @returns paths of changed, missing and unlisted files; none if there is no archive but a folder
 */
export async function changedPrograms(
  archive: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const listed = listedPrograms(archive)
  if (listed === null) return []
  const folder = `${archive}.unpacked`
  const changed: string[] = []
  for (const { path, isLink } of await filesBelow(folder)) {
    const name = relative(folder, path).split(sep).join('/')
    const hash = listed.get(name)
    listed.delete(name)
    if (isLink || (hash === undefined && code.test(name))) changed.push(name)
    else if (hash !== undefined && !(await hasHash(path, hash, platform))) changed.push(name)
  }
  return [...changed, ...listed.keys()].toSorted()
}

/**
 * A signature is added to native code for macOS after the archive is written. The system checks it
 * when it loads the code.
 */
async function hasHash(path: string, hash: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === 'darwin' && path.endsWith('.node')) return true
  return (
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex') === hash
  )
}

/** The hashes of the files beside an archive, by path; null for a folder. */
function listedPrograms(archive: string): Map<string, string> | null {
  const header = readHeader(archive)
  const listed = new Map<string, string>()
  const collect = (entry: Entry, path: string): void => {
    for (const [name, child] of Object.entries(entry.files ?? {}))
      collect(child, path === '' ? name : `${path}/${name}`)
    if (entry.files === undefined && entry.unpacked === true)
      listed.set(path, entry.integrity?.hash ?? 'none')
  }
  if (header === null) return null
  collect(header, '')
  return listed
}

/**
 * An archive starts with the length of its header's text in the fourth of four 32-bit numbers; the
 * text follows. Electron shows an archive as a folder unless `noAsar` is set.
 */
function readHeader(archive: string): Entry | null {
  const { noAsar } = process
  process.noAsar = true
  try {
    if (!statSync(archive).isFile()) return null
    const file = openSync(archive, 'r')
    try {
      const start = Buffer.alloc(16)
      readSync(file, start, 0, start.length, 0)
      const text = Buffer.alloc(start.readUInt32LE(12))
      readSync(file, text, 0, text.length, start.length)
      return JSON.parse(text.toString()) as Entry
    } finally {
      closeSync(file)
    }
  } finally {
    process.noAsar = noAsar
  }
}

async function filesBelow(folder: string): Promise<{ path: string; isLink: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return [{ path, isLink: entry.isSymbolicLink() }]
  })
  return (await Promise.all(found)).flat()
}
