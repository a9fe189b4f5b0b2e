import { afterEach, expect, test } from 'vitest'
import { formatMessage, localized } from '../../../contract/localization/localized.ts'
import type { Failure } from '../../failure.ts'
import { until } from '../../testing/core.ts'
import { keyRecords } from '../key-records.ts'
import { readProblem } from '../../stored-problem.ts'
import { spoolOf } from '../spool/spool-files.ts'
import { readRejectedKeys } from '../report/rejected-keys.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { createUploads } from './uploads.ts'
import {
  countUploaded,
  createUploadService,
  disposeUploads,
  prepareUpload,
  refusal,
  someKeys,
  uploadAccountId,
} from '../testing/prepared-upload.ts'

afterEach(disposeUploads)

test.each([true, false])(
  'uploads and counts each key once after a kill between any two steps (Idempotency-Key: %s)',
  async (takesKeys) => {
    const keys = someKeys(2400)
    for (let at = 0, hit = true; hit; at++) {
      const service = createUploadService(takesKeys)
      const { row, run, harness, db } = await prepareUpload(keys, service)
      let events = 0
      hit = false
      await run(() => {
        hit ||= events === at
        return events++ === at
      })
      await run()
      expect(row().state, `killed at event ${at}`).toBe('done')
      const all = [...service.stock.values()].flat()
      expect(all.toSorted()).toEqual(keys.map(({ key }) => key).toSorted())
      expect(
        harness.uploads
          .offers(row().number)
          .map(({ offerId, added, duplicates, answered, stock }) => ({
            offerId,
            added,
            duplicates,
            answered,
            stock,
          }))
          .toSorted((a, b) => a.offerId.localeCompare(b.offerId)),
      ).toEqual([
        { offerId: 'off_a', added: 1600, duplicates: 0, answered: 1600, stock: 1600 },
        { offerId: 'off_b', added: 800, duplicates: 0, answered: 800, stock: 800 },
      ])
      expect(countUploaded(db)).toBe(2400)
      disposeUploads()
      expect(at).toBeLessThan(100)
    }
  },
)

test('waits out a lost response, a rate limit and an outage, with the same Idempotency-Key', async () => {
  const service = createUploadService(true)
  const { row, run, harness, setStep } = await prepareUpload(someKeys(3500), service)
  const faults: (Failure | null)[] = [
    null,
    refusal('RATE_LIMITED', 429),
    null,
    refusal('OFFLINE', null),
    refusal('SERVICE_UNAVAILABLE', 503),
  ]
  let lost = 2
  setStep((moment) => {
    if (moment === 'after' && lost-- > 0) throw refusal('ANSWER_LOST', null)
    const fault = moment === 'before' ? (faults.shift() ?? null) : null
    if (fault !== null) throw fault
  })
  await run()
  expect(row().state).toBe('done')
  expect(
    harness.uploads
      .offers(row().number)
      .reduce((sum, { added, duplicates }) => sum + added + duplicates * 1000, 0),
  ).toBe(3500)
  expect(
    harness.uploads.marks(row().number).filter(({ attempts }) => attempts > 1).length,
  ).toBeGreaterThan(0)
  expect(harness.uploads.journal(row().number).map(({ what }) => formatMessage(what))).toEqual(
    expect.arrayContaining([
      'Response lost after sending',
      'Slowed down by the service’s rate limit',
      'Connection lost',
    ]),
  )
})

test('counts keys as added if their response was lost more than 24 hours ago', async () => {
  const keys = someKeys(1200)
  const service = createUploadService(true)
  const { row, run, harness, db, setStep } = await prepareUpload(keys, service)
  let isKilled = false
  setStep((moment) => {
    if (moment !== 'after') return
    isKilled = true
    throw refusal('ANSWER_LOST', null)
  })
  await run(() => isKilled)
  expect([...service.stock.values()].flat().length).toBeGreaterThan(0)
  setStep(() => {})
  service.forgetAnswers()
  db.prepare("UPDATE import_requests SET sent_at = sent_at - 90000000 WHERE state = 'sent'").run()
  await run()
  expect(row().state).toBe('done')
  const offers = harness.uploads.offers(row().number)
  expect(offers.map(({ duplicates }) => duplicates)).toEqual([0, 0])
  expect(offers.reduce((sum, { added }) => sum + added, 0)).toBe(1200)
  expect(harness.uploads.journal(row().number).map(({ what }) => formatMessage(what))).toContain(
    'Keys of request 1 were already uploaded by this import',
  )
})

test('counts the 24 hours from the first of several attempts without a response', async () => {
  const service = createUploadService(true)
  const { row, run, harness, db, setStep } = await prepareUpload(someKeys(1200), service)
  let isKilled = false
  setStep((moment) => {
    if (moment !== 'after') return
    isKilled = true
    throw refusal('ANSWER_LOST', null)
  })
  await run(() => isKilled)
  db.prepare("UPDATE import_requests SET sent_at = sent_at - 90000000 WHERE state = 'sent'").run()
  service.forgetAnswers()
  let failing = 2
  setStep((moment) => {
    if (moment === 'before' && failing-- > 0) throw refusal('INTERNAL_ERROR', 500)
  })
  await run()
  expect(row().state).toBe('done')
  const offers = harness.uploads.offers(row().number)
  expect(offers.map(({ duplicates }) => duplicates)).toEqual([0, 0])
  expect(offers.reduce((sum, { added }) => sum + added, 0)).toBe(1200)
})

test('writes nothing while the disk is full, and settles the keys once when there is space', async () => {
  const uploading = async (takesKeys: boolean): Promise<void> => {
    const service = createUploadService(takesKeys)
    const { ground, row, run, harness, db, setStep } = await prepareUpload(someKeys(3500), service)
    let answers = 0
    setStep((moment) => {
      if (moment === 'before' || ++answers !== 2) return
      const pages = Number(db.pragma('journal.page_count', { simple: true }))
      db.pragma(`journal.max_page_count = ${pages}`)
      setTimeout(() => db.pragma('journal.max_page_count = 1000000'), 100)
    })
    const going = run()
    await until(
      () => ground.room.isFull(),
      (full) => full,
    )
    expect(row().state).toBe('uploading')
    await going
    expect(row()).toMatchObject({ state: 'done', problem: null })
    expect([...service.stock.values()].flat().toSorted()).toEqual(
      someKeys(3500)
        .map(({ key }) => key)
        .toSorted(),
    )
    expect(
      harness.uploads
        .offers(row().number)
        .reduce((sum, { added, duplicates }) => sum + added + duplicates * 1000, 0),
    ).toBe(3500)
  }
  await Promise.all([uploading(true), uploading(false)])
})

test('waits for the vault after the service is back, and resumes when the vault opens', async () => {
  const { ground, row, run, harness } = await prepareUpload(someKeys(30), createUploadService(true))
  const { number } = row()
  harness.uploads.setState(number, 'waiting', refusal('ANSWER_LOST', null).problem)
  const earlier = ground.context.clock.now() - 68_000
  harness.uploads.note(number, earlier, localized('imports.response-lost'), null)
  ground.vault.lock()
  const going = run()
  await until(
    () => row().problem ?? '',
    (problem) => problem.includes('VAULT_LOCKED'),
  )
  expect(row().state).toBe('waiting')
  expect(formatMessages(harness.uploads.journal(row().number)[0]?.what)).toBe(
    'Waiting for the vault',
  )
  const waiting = readProblem(row().problem)
  expect(waiting?.effect).toBe('0 of 30 keys were uploaded before.')
  await ground.vault.unlockWithKeychain()
  await going
  expect(row()).toMatchObject({ state: 'done', problem: null })
  const details = harness.uploads.journal(number).map(({ detail }) => formatMessages(detail))
  expect(details.join('; ')).toMatch(/After (?:68|69|70) s/)
})

test('reports how many keys were uploaded before a wait', async () => {
  const { ground, row, run, setStep } = await prepareUpload(
    someKeys(3500),
    createUploadService(true),
  )
  let answers = 0
  setStep((moment) => {
    if (moment === 'before' && ++answers > 1) ground.vault.lock()
  })
  const going = run()
  await until(
    () => readProblem(row().problem)?.effect ?? '',
    (effect) => effect !== '',
  )
  expect(readProblem(row().problem)?.effect).toMatch(
    /^[12],\d{3} of 3,500 keys were uploaded before/,
  )
  setStep(() => {})
  await ground.vault.unlockWithKeychain()
  await going
  expect(row().state).toBe('done')
})

test('lists entries of the upload log that an older version stored', async () => {
  const { row, harness, db } = await prepareUpload(someKeys(3), createUploadService(true))
  db.prepare(
    `INSERT INTO import_journal (import_number, position, at, what, detail)
       VALUES (:number, 100, 5, 'Resumed at request 1,204', '')`,
  ).run({ number: row().number })
  harness.uploads.note(row().number, 6, localized('imports.resumed-at', { request: 1205 }), null)
  expect(formatMessages(harness.uploads.journal(row().number).slice(0, 2))).toEqual([
    { at: 6, what: 'Resumed at request 1,205', detail: null },
    { at: 5, what: 'Resumed at request 1,204', detail: null },
  ])
})

test('skips an offer that was deleted, with the reason, and uploads the rest', async () => {
  const service = createUploadService(true)
  service.stock.delete('off_b')
  const { row, run, harness, db } = await prepareUpload(someKeys(3000), service)
  await run()
  expect(row().state).toBe('done')
  const [gone, kept] = harness.uploads
    .offers(row().number)
    .toSorted((a, b) => b.offerId.localeCompare(a.offerId))
  expect(gone).toMatchObject({
    offerId: 'off_b',
    total: 1000,
    answered: 1000,
    added: 0,
    problem: expect.stringContaining('NOT_FOUND'),
  })
  expect(kept).toMatchObject({ total: 2000, answered: 2000, added: 2000, problem: null })
  expect(countUploaded(db)).toBe(2000)
})

test('removes rejected keys from their request and names them by file and line', async () => {
  const service = createUploadService(true)
  const keys = someKeys(30).map((each, index) =>
    index === 7 || index === 13 ? { ...each, key: `BAD-${index}` } : each,
  )
  const { row, run, harness, db } = await prepareUpload(keys, service)
  await run()
  expect(row().state).toBe('done')
  expect(harness.uploads.offers(row().number).reduce((sum, { added }) => sum + added, 0)).toBe(28)
  expect(countUploaded(db)).toBe(28)
  const noted = harness.uploads
    .journal(row().number)
    .filter(({ what }) => what.code === 'imports.key-rejected')
  expect(
    noted
      .flatMap(({ detail }) => (detail === null ? [] : formatMessage(detail).split('; ')))
      .toSorted(),
  ).toEqual(['f.csv, line 14', 'f.csv, line 8'])
})

test('without Idempotency-Keys, stops and asks after an unexpected change of stock', async () => {
  const service = createUploadService(false)
  const { row, run, harness, setStep } = await prepareUpload(someKeys(900), service)
  let first = true
  setStep((moment, sent) => {
    if (moment !== 'after' || !first) return
    first = false
    // Five keys were sold while the response was lost.
    service.stock.set(
      'off_a',
      (service.stock.get('off_a') ?? []).slice(sent.length === 600 ? 5 : 0),
    )
    service.stock.set(
      'off_b',
      (service.stock.get('off_b') ?? []).slice(sent.length === 300 ? 5 : 0),
    )
    throw refusal('ANSWER_LOST', null)
  })
  await run()
  expect(row()).toMatchObject({
    state: 'stopped',
    problem: expect.stringContaining('UPLOAD_UNCLEAR'),
  })
  const request = harness.uploads.inFlight(row().number)
  if (request === undefined) throw new Error('no request in doubt')
  harness.uploads.sendAgain(request, true)
  harness.uploads.setState(row().number, 'uploading', null)
  await run()
  await until(
    () => row().state,
    (state) => state === 'done',
  )
  for (const keys of service.stock.values()) expect(new Set(keys).size).toBe(keys.length)
})

test.each([
  ['send-again', { added: 900, excluded: 0, unsure: 300, there: 895 }],
  ['arrived', { added: 900, excluded: 0, unsure: 300, there: 895 }],
  ['leave-out', { added: 600, excluded: 300, unsure: 0, there: 895 }],
] as const)(
  'counts a request in doubt in the report after the decision %s, with no key there twice',
  async (choice, told) => {
    const service = createUploadService(false)
    const { context, row, run, harness, db, setStep } = await prepareUpload(someKeys(900), service)
    setStep((moment, sent) => {
      if (moment !== 'after' || sent.length !== 300) return
      // Five keys were withdrawn by hand while the response was lost, so neither stock nor sales
      // show what happened to the request.
      service.stock.set('off_b', (service.stock.get('off_b') ?? []).slice(5))
      setStep(() => {})
      throw refusal('ANSWER_LOST', null)
    })
    await run()
    const stopped = row()
    expect(JSON.parse(stopped.problem ?? '{}')).toMatchObject({
      code: 'UPLOAD_UNCLEAR',
      details: { keys: 300, before: 0, now: 295, offer: 'off_b' },
    })
    // The five keys are gone, so the service would accept them again.
    if (choice === 'send-again')
      setStep((moment) => {
        if (moment === 'after')
          service.stock.set('off_b', (service.stock.get('off_b') ?? []).slice(0, 295))
      })
    await createUploads(context, () => harness, {
      changed: () => {},
      ended: () => {},
      stopped: () => {},
    }).decide(uploadAccountId, 'imp', choice)
    harness.uploads.setState(row().number, 'uploading', null)
    await run()
    await until(
      () => row().state,
      (state) => state === 'done',
    )
    const offers = harness.uploads.offers(row().number)
    const sum = (of: 'added' | 'duplicates' | 'refused' | 'excluded'): number =>
      offers.reduce((all, offer) => all + offer[of], 0)
    expect([sum('added'), sum('duplicates'), sum('refused'), sum('excluded')]).toEqual([
      told.added,
      0,
      0,
      told.excluded,
    ])
    const keys = [...service.stock.values()].flat()
    expect([keys.length, new Set(keys).size]).toEqual([told.there, told.there])
    const unsure = keyRecords(db)
      .countsOf(row().number)
      .filter(({ fate }) => fate === 'unsure')
      .reduce((all, { count: some }) => all + some, 0)
    expect(unsure).toBe(told.unsure)
    const kept = readRejectedKeys(
      spoolOf(
        {
          accountId: uploadAccountId,
          importId: 'imp',
          seal: context.vault.material().seal,
          folder: harness.folder('imp'),
        },
        'unaccepted',
      ),
    ).flatMap((group) => group.keys)
    expect(kept).toHaveLength(told.excluded)
  },
)
