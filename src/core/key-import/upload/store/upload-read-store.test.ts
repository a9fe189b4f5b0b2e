import { afterEach, expect, test } from 'vitest'
import { localized } from '../../../../contract/localization/localized.ts'
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
