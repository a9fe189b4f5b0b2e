import { afterEach, expect, test } from 'vitest'
import { until } from '../../testing/core.ts'
import { keyRecords } from '../key-records.ts'
import {
  createUploadService,
  disposeUploads,
  prepareUpload,
  refusal,
  someKeys,
  uploadAccountId,
} from '../testing/prepared-upload.ts'
import type { PreparedUpload } from '../testing/prepared-upload.ts'
import { createUploads } from './uploads.ts'

afterEach(disposeUploads)

/** The counts of an import's keys by outcome. */
function outcomesOf({ db, row }: PreparedUpload): Record<string, number> {
  const counts = keyRecords(db).countsOf(row().number)
  return Object.fromEntries(counts.map(({ fate, count }) => [fate, count]))
}

const noHooks = { changed: () => {}, ended: () => {}, stopped: () => {} }

/** An upload whose request for `off_b` arrived, but lost its response; then the offer was deleted. */
async function lostAndDeleted(takesKeys: boolean): Promise<PreparedUpload> {
  const service = createUploadService(takesKeys)
  const upload = await prepareUpload(someKeys(900), service)
  upload.setStep((moment, sent) => {
    if (moment !== 'after' || sent.length !== 300) return
    upload.setStep(() => {})
    upload.db
      .prepare("UPDATE import_requests SET sent_at = sent_at - :ago WHERE state = 'sent'")
      .run({ ago: takesKeys ? 90_000_000 : 0 })
    service.forgetAnswers()
    service.stock.delete('off_b')
    throw refusal('ANSWER_LOST', null)
  })
  await upload.run()
  return upload
}

test.each([false, true])(
  'asks about keys whose response was lost if the service then rejects their request (Idempotency-Key: %s)',
  async (takesKeys) => {
    const upload = await lostAndDeleted(takesKeys)
    const { row } = upload
    expect(row().state).toBe('stopped')
    expect(JSON.parse(row().problem ?? '{}')).toMatchObject({
      code: 'UPLOAD_UNCLEAR',
      details: { keys: 300, now: null, offer: 'off_b' },
    })
    expect(outcomesOf(upload)['refused'] ?? 0).toBe(0)
  },
)

test.each([
  ['arrived', { added: 600, unsure: 300 }],
  ['leave-out', { added: 600, excluded: 300 }],
] as const)(
  'finishes after the decision %s about a request that could not be sent again',
  async (choice, outcomes) => {
    const upload = await lostAndDeleted(false)
    const { context, harness, row, run } = upload
    const uploads = createUploads(context, () => harness, noHooks)
    for (const each of ['send-again', choice] as const) {
      await uploads.decide(uploadAccountId, 'imp', each)
      harness.uploads.setState(row().number, 'uploading', null)
      await run()
      if (each === 'send-again') expect(row().state).toBe('stopped')
    }
    await until(
      () => row().state,
      (state) => state === 'done',
    )
    expect(outcomesOf(upload)).toEqual(outcomes)
  },
)

test('rejects keys without asking if the stock shows that an earlier attempt didn’t arrive', async () => {
  const upload = await prepareUpload(someKeys(900), createUploadService(false))
  const faults = [refusal('ANSWER_LOST', null), refusal('VALIDATION_ERROR', 400)]
  upload.setStep((moment, sent) => {
    const fault = moment === 'before' && sent.length === 300 ? faults.shift() : undefined
    if (fault !== undefined) throw fault
  })
  await upload.run()
  expect(upload.row().state).toBe('done')
  expect(outcomesOf(upload)).toEqual({ added: 600, refused: 300 })
})

test.each([0, 90_000_000])(
  'rejects keys without asking if their offer is deleted after the stock showed that they didn’t arrive (%i ms later)',
  async (ago) => {
    const service = createUploadService(false)
    const upload = await prepareUpload(someKeys(900), service)
    const lookUp = service.stock.get.bind(service.stock)
    upload.setStep((_moment, sent) => {
      if (sent.length !== 300) return
      upload.db
        .prepare("UPDATE import_requests SET sent_at = sent_at - :ago WHERE state = 'sent'")
        .run({ ago })
      let lookUps = 0
      service.stock.get = (offerId) => {
        if (offerId === 'off_b' && ++lookUps === 2) service.stock.delete(offerId)
        return lookUp(offerId)
      }
      throw refusal('ANSWER_LOST', null)
    })
    await upload.run()
    expect(upload.row().state).toBe('done')
    expect(outcomesOf(upload)).toEqual({ added: 600, refused: 300 })
  },
)

test('rejects keys without asking if the stock shows a day later that they didn’t arrive', async () => {
  const upload = await prepareUpload(someKeys(900), createUploadService(false))
  const faults = [refusal('ANSWER_LOST', null), refusal('VALIDATION_ERROR', 400)]
  upload.setStep((moment, sent) => {
    const fault = moment === 'before' && sent.length === 300 ? faults.shift() : undefined
    if (fault === undefined) return
    upload.db
      .prepare("UPDATE import_requests SET sent_at = sent_at - 90000000 WHERE state = 'sent'")
      .run()
    throw fault
  })
  await upload.run()
  expect(upload.row().state).toBe('done')
  expect(outcomesOf(upload)).toEqual({ added: 600, refused: 300 })
})
