import { afterEach, expect, test } from 'vitest'
import { localized } from '../../../../contract/localization/localized.ts'
import { readProblem } from '../../../stored-problem.ts'
import { keyRecords } from '../../key-records.ts'
import { undoStore } from '../../undo-store.ts'
import {
  createUploadService,
  disposeUploads,
  prepareUpload,
  someKeys,
} from '../../testing/prepared-upload.ts'

afterEach(disposeUploads)

test('counts keys that the service rejected as rejected while their request is open', async () => {
  const { harness, row } = await prepareUpload(someKeys(30), createUploadService(true))
  const { uploads } = harness
  const request = uploads.next(row().number)
  if (request === undefined) throw new Error('no request')
  uploads.leaveOut(request, [0, 3], [], 'new-key', 1, localized('imports.paused'))
  const counts = () => {
    const offers = uploads.offers(row().number)
    const { keysSettled, keysInDoubt } = uploads.totals(row().number)
    const sum = (of: 'answered' | 'refused'): number =>
      offers.reduce((total, offer) => total + offer[of], 0)
    return { keysSettled, keysInDoubt, answered: sum('answered'), refused: sum('refused') }
  }
  expect(counts()).toEqual({ keysSettled: 2, keysInDoubt: 0, answered: 2, refused: 2 })
  uploads.markSent(request, 2, null)
  expect(counts()).toEqual({
    keysSettled: 2,
    keysInDoubt: request.keys - 2,
    answered: 2,
    refused: 2,
  })
})

test('separates keys that the user excluded from keys that the service rejected', async () => {
  const { db, harness, row } = await prepareUpload(someKeys(30), createUploadService(true))
  const { uploads } = harness
  const request = uploads.next(row().number)
  if (request === undefined) throw new Error('no request')
  const keys = Array.from({ length: request.keys }, (_, line) => ({
    fingerprint: Buffer.alloc(16, line),
    file: 1,
    line,
    key: `KEY-${line}`,
  }))
  const message = localized('imports.paused')
  uploads.leaveOut(request, [0], keys.slice(0, 1), 'new-key', 1, message)
  const open = uploads.next(row().number)
  if (open === undefined) throw new Error('no open request')
  const excluded = [{ request: open, keys: keys.slice(1) }]
  uploads.reject(open, 2, readProblem(''), 'exclusion', message, excluded)
  expect(uploads.offers(row().number)[open.offer]).toMatchObject({
    refused: 1,
    excluded: request.keys - 1,
  })
  expect(keyRecords(db).countsOf(row().number)).toEqual([
    { file: 1, fate: 'excluded', count: request.keys - 1 },
    { file: 1, fate: 'refused', count: 1 },
  ])
})

test.each([
  [false, [{ file: 1, fate: 'unsure', count: 1 }]],
  // They came from other imports, which still have their lines.
  [true, []],
])(
  'saves the lines of keys in doubt, unless an undo returns them: %s',
  async (isReturn, counts) => {
    const { db, harness, row } = await prepareUpload(someKeys(30), createUploadService(true))
    const request = harness.uploads.next(row().number)
    if (request === undefined) throw new Error('no request')
    if (isReturn) undoStore(db).markReturn(row().number, 7, 0)
    const keys = [{ fingerprint: Buffer.alloc(16), file: 1, line: 3, key: 'KEY-3' }]
    harness.uploads.cancel(row().number, 1, localized('imports.canceled-effect'), [
      { request, keys, hints: null },
    ])
    expect(row()).toMatchObject({ state: 'cancelled', ended_at: 1 })
    expect(keyRecords(db).countsOf(row().number)).toEqual(counts)
  },
)
