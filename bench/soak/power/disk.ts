/**
 * A folder as a process sees it and as its disk has it: what a change leaves on the disk is certain
 * only once the file, or for names the folder, was synced.
 */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Change } from './log.ts'

type Below = (limit: number) => number

/** Bytes of a file, its length or its date, that may not have reached the disk yet. */
type Unsynced = { serial: number } & (
  | { kind: 'write'; at: number; bytes: Buffer }
  | { kind: 'truncate'; length: number }
  | { kind: 'date'; time: number }
)
type File = {
  kind: 'file'
  synced: Buffer
  /** Its time of modification, in milliseconds; null: the time of the cut. */ date: number | null
  unsynced: Unsynced[]
  length: number
}
type Folder = { kind: 'folder'; names: Map<string, Entry>; onDisk: Map<string, Entry> }
type Entry = File | Folder
/** One change of names; null: the name is removed. A rename changes two at the same time. */
type Naming = { serial: number; sets: { folder: Folder; name: string; entry: Entry | null }[] }

/**
 * The part of the unsynced changes that a power loss leaves: none; the first ones, as on a disk
 * that writes in order; or any of them, each write torn at sectors.
 */
type Loss =
  | { kind: 'all' }
  | { kind: 'from'; serial: number }
  | { kind: 'some'; keep: (serial: number) => boolean; sector: number | null; extend: boolean }

const SECTORS = [512, 4096]
/** Longer files that a test makes by mistake shouldn't fill the memory. */
const MOST_BYTES = 512 * 1024 * 1024

function loadFolder(place: string): Folder {
  const names = new Map<string, Entry>()
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const inside = path.join(place, entry.name)
    if (entry.isDirectory()) names.set(entry.name, loadFolder(inside))
    else if (entry.isFile() && !entry.name.endsWith('-shm')) {
      const synced = readFileSync(inside)
      const date = statSync(inside).mtimeMs
      names.set(entry.name, { kind: 'file', synced, date, unsynced: [], length: synced.length })
    }
  }
  return { kind: 'folder', names, onDisk: new Map(names) }
}

const newFile = (): File => ({
  kind: 'file',
  synced: Buffer.alloc(0),
  date: null,
  unsynced: [],
  length: 0,
})

function resized(bytes: Buffer, length: number): Buffer {
  if (length > MOST_BYTES) throw new Error(`a file of ${length} bytes`)
  if (length <= bytes.length) return bytes.subarray(0, length)
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
}

function applied(bytes: Buffer, changes: readonly Unsynced[]): Buffer {
  let length = bytes.length
  let most = length
  for (const change of changes) {
    if (change.kind === 'date') continue
    length =
      change.kind === 'truncate' ? change.length : Math.max(length, change.at + change.bytes.length)
    most = Math.max(most, length)
  }
  const content = Buffer.from(resized(bytes, most))
  let end = bytes.length
  for (const change of changes) {
    if (change.kind === 'date') continue
    if (change.kind === 'truncate') {
      content.fill(0, Math.min(end, change.length), end)
      end = change.length
    } else {
      change.bytes.copy(content, change.at)
      end = Math.max(end, change.at + change.bytes.length)
    }
  }
  return content.subarray(0, end)
}

/** A file's date after changes: a write after a date means another, later one. */
const dated = (date: number | null, changes: readonly Unsynced[]): number | null =>
  changes.reduce<number | null>((_, change) => (change.kind === 'date' ? change.time : null), date)

/** The parts of a write that lie in different sectors of the disk. */
function* sectorsOf(
  { serial, at, bytes }: Extract<Unsynced, { kind: 'write' }>,
  sector: number,
): Generator<Extract<Unsynced, { kind: 'write' }>> {
  for (let from = at; from < at + bytes.length;) {
    const to = Math.min((Math.floor(from / sector) + 1) * sector, at + bytes.length)
    yield { serial, kind: 'write', at: from, bytes: bytes.subarray(from - at, to - at) }
    from = to
  }
}

/**
 * Reads a folder whose content is on the disk; `record` then takes what a process changes in it.
 * `copy`: where the content is, if the process has changed the folder since.
 */
export function readDisk(root: string, copy = root) {
  const top = loadFolder(copy)
  const files = new Map<number, Entry>()
  let namings: Naming[] = []
  let serial = 0

  const partsOf = (place: string): string[] => path.relative(root, place).split(path.sep)
  function folderOf(place: string): { folder: Folder; name: string } | null {
    const parts = partsOf(place)
    const name = parts.pop() ?? ''
    let folder = top
    for (const part of parts) {
      const next = folder.names.get(part)
      if (next?.kind !== 'folder') return null
      folder = next
    }
    return { folder, name }
  }
  const entryAt = (place: string): Entry | undefined => {
    if (path.relative(root, place) === '') return top
    const found = folderOf(place)
    return found?.folder.names.get(found.name)
  }
  function set(...places: [place: string, entry: Entry | null][]): void {
    const sets = places.flatMap(([place, entry]) => {
      const found = folderOf(place)
      if (found === null) return []
      if (entry === null) found.folder.names.delete(found.name)
      else found.folder.names.set(found.name, entry)
      return [{ ...found, entry }]
    })
    namings.push({ serial, sets })
  }
  const commit = ({ sets }: Naming): void => {
    for (const { folder, name, entry } of sets)
      if (entry === null) folder.onDisk.delete(name)
      else folder.onDisk.set(name, entry)
  }
  function sync(entry: Entry): void {
    if (entry.kind === 'file') {
      entry.synced = applied(entry.synced, entry.unsynced)
      entry.date = dated(entry.date, entry.unsynced)
      entry.unsynced = []
      return
    }
    const touches = ({ sets }: Naming): boolean => sets.some(({ folder }) => folder === entry)
    for (const naming of namings.filter(touches)) commit(naming)
    namings = namings.filter((naming) => !touches(naming))
  }
  function open(change: Extract<Change, { kind: 'open' }>): void {
    let entry = entryAt(change.path)
    if (entry === undefined && change.creates) set([change.path, (entry = newFile())])
    else if (entry?.kind === 'file' && change.empties && entry.length > 0) truncate(entry, 0)
    if (entry !== undefined) files.set(change.file, entry)
    else files.delete(change.file)
  }
  function truncate(file: File, length: number): void {
    file.unsynced.push({ serial, kind: 'truncate', length })
    file.length = length
  }
  function record(change: Change): void {
    serial += 1
    if (change.kind === 'say') return
    if (change.kind === 'open') return open(change)
    if ('file' in change) {
      const entry = files.get(change.file)
      if (entry === undefined) return
      if (change.kind === 'sync') sync(entry)
      else if (entry.kind === 'folder') throw new Error(`a ${change.kind} in a folder`)
      else if (change.kind === 'truncate') truncate(entry, change.length)
      else {
        entry.unsynced.push({ serial, kind: 'write', at: change.at, bytes: change.bytes })
        entry.length = Math.max(entry.length, change.at + change.bytes.length)
      }
      return
    }
    const entry = entryAt(change.path) ?? null
    if (change.kind === 'date') {
      if (entry?.kind === 'file') entry.unsynced.push({ serial, kind: 'date', time: change.time })
      return
    }
    if (change.kind === 'rename') set([change.path, null], [change.to, entry])
    else if (change.kind === 'link') set([change.to, entry])
    else if (change.kind === 'make-folder')
      set([change.path, { kind: 'folder', names: new Map(), onDisk: new Map() }])
    else set([change.path, null])
  }

  function lost(below: Below): Loss {
    const roll = below(10)
    if (roll < 3) return { kind: 'all' }
    if (roll < 6) return { kind: 'from', serial: below(serial + 1) }
    const share = 1 + below(9)
    const seen = new Map<number, boolean>()
    return {
      kind: 'some',
      // A change of names has one outcome; each sector of a write has its own, see `leave`.
      keep: (each) => {
        const fate = seen.get(each) ?? below(10) < share
        seen.set(each, fate)
        return fate
      },
      sector: SECTORS[below(SECTORS.length + 1)] ?? null,
      extend: below(3) === 0,
    }
  }
  function keptOf(file: File, loss: Loss, below: Below): Unsynced[] {
    if (loss.kind === 'all') return []
    if (loss.kind === 'from') return file.unsynced.filter((each) => each.serial < loss.serial)
    return file.unsynced.flatMap((each): Unsynced[] => {
      if (each.kind !== 'write' || loss.sector === null) return loss.keep(each.serial) ? [each] : []
      return [...sectorsOf(each, loss.sector)].filter(() => below(2) === 0)
    })
  }
  function writeFile(file: File, place: string, loss: Loss, below: Below): void {
    const kept = keptOf(file, loss, below)
    const content = applied(file.synced, kept)
    // The new length can reach the disk before the bytes do.
    const isLonger = loss.kind === 'some' && loss.extend && content.length < file.length
    writeFileSync(place, isLonger ? resized(content, file.length) : content)
    chmodSync(place, 0o600)
    const date = dated(file.date, kept)
    if (date !== null) utimesSync(place, date / 1000, date / 1000)
  }
  function write(folder: Folder, place: string, loss: Loss, below: Below): void {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    for (const [name, entry] of folder.onDisk) {
      const inside = path.join(place, name)
      if (entry.kind === 'folder') write(entry, inside, loss, below)
      else writeFile(entry, inside, loss, below)
    }
  }

  return {
    record,
    /** Replaces a folder with what a power loss at this instant leaves. Use it once. */
    leave(place: string, below: Below): Loss['kind'] {
      const loss = lost(below)
      const keeps = (naming: Naming): boolean =>
        loss.kind === 'from'
          ? naming.serial < loss.serial
          : loss.kind === 'some' && loss.keep(naming.serial)
      for (const naming of namings) if (keeps(naming)) commit(naming)
      rmSync(place, { recursive: true, force: true })
      write(top, place, loss, below)
      return loss.kind
    },
  }
}
