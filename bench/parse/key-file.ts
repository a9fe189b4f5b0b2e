import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { importsSchemas } from '../../src/core/key-import/key-import.ts'
import { openFrames } from '../../src/core/key-import/spool/frames.ts'
import { spoolOf } from '../../src/core/key-import/spool/spool-files.ts'
import { secrets } from './task.ts'
import type { WrittenTask } from './task.ts'

/** The empty journal that the tasks of {@link writeKeyFile} use. */
export function createImportJournal(folder: string): void {
  const db = new BetterSqlite3(path.join(folder, 'journal.db'))
  for (const step of importsSchemas.flatMap(({ place, steps }) =>
    place === 'journal' ? steps : [],
  ))
    db.exec(step)
  db.close()
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A key file of different lines, plain or as a CSV of two offers, and the task that checks it. */
export function writeKeyFile(folder: string, form: 'txt' | 'csv', lines: number): void {
  let state = 7
  const random = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const group = (): string => Array.from({ length: 5 }, () => alphabet[random() % 32]).join('')
  const task: WrittenTask = {
    kind: 'check',
    accountId: 'acc',
    sendsRepeats: false,
    importId: form,
    folder: path.join(folder, `spool-${form}`),
    journal: path.join(folder, 'journal.db'),
    offers: ['a', 'b'].map((name) => ({
      offerId: `off_${name}`,
      productId: `1000${name}`,
      name: `Game ${name}`,
      platform: 'Steam',
      region: 'Global',
      deliveryType: 'key',
      stock: 0,
    })),
    files: [
      {
        fileId: 'f',
        position: 0,
        name: `keys.${form}`,
        fixed: {},
        offerId: form === 'txt' ? 'off_a' : null,
        read: null,
        pictures: null,
        chosen: [],
        included: [],
      },
    ],
  }
  mkdirSync(task.folder)
  const { path: spool, key } = spoolOf({ ...task, ...secrets }, 'f')
  const frames = openFrames(spool, key, true)
  let piece = form === 'csv' ? 'sku;code\n' : ''
  const flush = (): void => {
    frames.append(Buffer.from(piece))
    writeFileSync(path.join(folder, form), piece, { flag: 'a' })
    piece = ''
  }
  for (let line = 0; line < lines; line += 1) {
    piece += `${form === 'csv' ? `${line % 3 === 0 ? 'off_a' : '1000b'};` : ''}${group()}-${group()}-${group()}\n`
    if (piece.length > 1_000_000) flush()
  }
  flush()
  frames.finish()
  writeFileSync(path.join(folder, `${form}.json`), JSON.stringify(task))
}

/** The task that {@link writeKeyFile} wrote, without its keys. */
export const readTask = (folder: string, form: string): WrittenTask =>
  JSON.parse(readFileSync(path.join(folder, `${form}.json`), 'utf8')) as WrittenTask
