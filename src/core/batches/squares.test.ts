import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueSchema } from '../catalogue/catalogue.ts'
import { importsSchemas, keyRecords } from '../key-import/key-import.ts'
import type { ImportedBatch } from '../key-import/key-import.ts'
import { createMirrors } from '../mirror/files/mirrors.ts'
import type { MirrorFiles } from '../mirror/files/mirrors.ts'
import { salesSchema } from '../sales/sales.ts'
import { temporaryFolder } from '../testing/context.ts'
import { squaresOf } from './squares.ts'

const folder = temporaryFolder()
const none = { claimed: new Set<string>(), arrived: new Set<string>() }
let mirrors: MirrorFiles
let db: Database
beforeAll(() => {
  mirrors = createMirrors(folder.path, [catalogueSchema, ...importsSchemas, salesSchema])
  db = mirrors.database('11111111-1111-4111-8111-111111111111')
})
afterAll(() => {
  mirrors.close()
  folder.remove()
})

test('draws no square for a duplicate or a key of another offer, however many there are @long', async () => {
  const duplicates = 50_001
  const settle = (line: number, fate: 'added' | 'duplicate', offer: number): void =>
    keyRecords(db).settle({
      fingerprint: createHash('sha256').update(`${line}`).digest().subarray(0, 16),
      product: 'prd_1',
      importNumber: 1,
      offer,
      request: 0,
      file: 0,
      line,
      fate,
      at: 1,
    })
  db.transaction(() => {
    for (let line = 1; line <= duplicates; line++) settle(line, 'duplicate', 0)
    for (let line = 1; line <= 3; line++) settle(duplicates + line, 'added', 0)
    settle(duplicates + 4, 'added', 1)
  })()
  const batch = { importNumber: 1, offer: 0, product: 'prd_1', keys: 3, gone: 0 } as ImportedBatch
  expect(await squaresOf(db, batch, none, async () => {})).toEqual({
    squares: 'nnn',
    keysPerSquare: 1,
  })
})
