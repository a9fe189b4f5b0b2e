/** Reads the log that shim.c writes. */
import { constants, readFileSync } from 'node:fs'

/** One change, in the order in which the process made it. */
export type Change =
  | { kind: 'open'; file: number; path: string; creates: boolean; empties: boolean }
  | { kind: 'write'; file: number; at: number; bytes: Buffer }
  | { kind: 'truncate'; file: number; length: number }
  | { kind: 'sync'; file: number }
  | { kind: 'rename' | 'link'; path: string; to: string }
  | { kind: 'unlink' | 'make-folder' | 'remove-folder'; path: string }
  | { kind: 'say'; bytes: Buffer }
  /** The file's time of modification, in milliseconds. */
  | { kind: 'date'; path: string; time: number }

const HEADER_BYTES = 32
const kinds = [
  'open',
  'write',
  'truncate',
  'sync',
  'rename',
  'link',
  'unlink',
  'make-folder',
  'remove-folder',
  'say',
  'date',
] as const

/** The changes of a log. A process that was killed may have left an incomplete one at its end. */
export function readLog(path: string): Change[] {
  const log = readFileSync(path)
  const changes: Change[] = []
  for (let offset = 0; offset + HEADER_BYTES <= log.length;) {
    const kind = kinds[log.readUInt32LE(offset) - 1]
    const file = log.readInt32LE(offset + 4)
    const at = Number(log.readBigInt64LE(offset + 8))
    const flags = log.readUInt32LE(offset + 16)
    const pathEnd = offset + HEADER_BYTES + log.readUInt32LE(offset + 20)
    const end = pathEnd + log.readUInt32LE(offset + 24)
    if (kind === undefined) throw new Error(`the log has an unknown change at ${offset}`)
    if (end > log.length) break
    const place = log.toString('utf8', offset + HEADER_BYTES, pathEnd)
    const rest = log.subarray(pathEnd, end)
    changes.push(changeOf(kind, { file, at, flags, path: place, rest }))
    offset = end
  }
  return changes
}

type Fields = { file: number; at: number; flags: number; path: string; rest: Buffer }

function changeOf(kind: (typeof kinds)[number], { file, at, flags, path, rest }: Fields): Change {
  switch (kind) {
    case 'open':
      return {
        kind,
        file,
        path,
        creates: (flags & constants.O_CREAT) !== 0,
        empties: (flags & constants.O_TRUNC) !== 0,
      }
    case 'write':
      return { kind, file, at, bytes: rest }
    case 'truncate':
      return { kind, file, length: at }
    case 'sync':
      return { kind, file }
    case 'rename':
    case 'link':
      return { kind, path, to: rest.toString('utf8') }
    case 'unlink':
    case 'make-folder':
    case 'remove-folder':
      return { kind, path }
    case 'date':
      return { kind, path, time: at }
    case 'say':
      return { kind, bytes: rest }
  }
}
