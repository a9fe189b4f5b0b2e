import { existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { fingerprintBytes } from '../fingerprint/fingerprint.ts'
import { importsSchemas } from '../schema.ts'
import { readCheckedLines } from '../spool/checked-lines.ts'
import type { Block } from '../spool/checked-lines.ts'
import { testFingerprints, writeCheckedFile } from '../testing/checked-file.ts'
import { lookUpUploads } from './uploaded-before.ts'

let folder: ReturnType<typeof temporaryFolder>
let journal: BetterSqlite3.Database
beforeEach(() => {
  folder = temporaryFolder()
  journal = new BetterSqlite3(join(folder.path, 'journal.db'))
  for (const { place, steps } of importsSchemas)
    if (place === 'journal') for (const step of steps) journal.exec(step)
})
afterEach(() => {
  journal.close()
  folder.remove()
})

function upload(product: string, ...keys: string[]): void {
  const add = journal.prepare(
    'INSERT INTO import_uploaded_keys (fingerprint, product_id, import_number, file, line) VALUES (?, ?, 1, 0, 1)',
  )
  const words = new Uint32Array(4)
  for (const key of keys) {
    const bytes = Buffer.from(key)
    testFingerprints.one(bytes, 0, bytes.length, words, 0)
    add.run(fingerprintBytes(words, 0), product)
  }
}
function blockOf(keys: readonly string[]): Block {
  const { path, key } = writeCheckedFile(
    folder.path,
    'keys.checked',
    keys.map((text) => ({ text })),
  )
  const [block] = readCheckedLines(path, key)
  if (block === undefined) throw new Error('no lines')
  return block
}
/** Looks up all keys, which go to the offers with these positions among the products. */
function lookUp(products: readonly string[], keys: readonly string[], offers: readonly number[]) {
  const { before, close } = lookUpUploads(journal.name, products)
  try {
    const candidates = offers.map((offer, index) => ({ index, offer }))
    return before === null ? null : [...before(blockOf(keys), candidates)]
  } finally {
    close()
  }
}

test('looks up nothing as long as no key was uploaded', () => {
  expect(lookUp(['game'], ['K-1'], [0])).toBeNull()
})

test('distinguishes keys uploaded for the same product from keys uploaded for another', () => {
  upload('game', 'K-1', 'K-2')
  upload('other', 'K-2', 'K-3')
  expect(
    lookUp(['game', 'other'], ['K-1', 'K-1', 'K-2', 'K-2', 'K-3', 'K-4'], [0, 1, 0, 1, 0, 0]),
  ).toEqual([
    [0, 'uploaded-before'],
    [1, 'on-another-offer'],
    [2, 'uploaded-before'],
    [3, 'uploaded-before'],
    [4, 'on-another-offer'],
  ])
})

test('looks up only the given lines, and returns their positions in the block', () => {
  upload('game', 'K-1', 'K-2', 'K-3')
  const { before, close } = lookUpUploads(journal.name, ['game'])
  const found = before?.(blockOf(['K-0', 'K-1', 'K-2', 'K-3']), [
    { index: 1, offer: 0 },
    { index: 3, offer: 0 },
  ])
  close()
  expect([...(found?.keys() ?? [])]).toEqual([1, 3])
})

test('finds keys in every part of a large block', () => {
  const keys = Array.from({ length: 1300 }, (_, index) => `K-${index}`)
  const known = [0, 511, 512, 1023, 1024, 1299]
  upload('game', ...known.map((index) => `K-${index}`))
  const found = lookUp(
    ['game'],
    keys,
    Array.from({ length: 1300 }, () => 0),
  )
  expect(found).toEqual(known.map((index) => [index, 'uploaded-before']))
})

test('never creates a journal', () => {
  const missing = join(folder.path, 'missing.db')
  expect(() => lookUpUploads(missing, ['game'])).toThrow('unable to open database file')
  expect(existsSync(missing)).toBe(false)
})

test('closes its connection', () => {
  upload('game', 'K-1')
  const { before, close } = lookUpUploads(journal.name, ['game'])
  close()
  expect(() => before?.(blockOf(['K-1']), [{ index: 0, offer: 0 }])).toThrow('not open')
})
