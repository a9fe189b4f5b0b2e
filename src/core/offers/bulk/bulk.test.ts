import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { BULK_CONFIRM_ABOVE } from '../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { failure } from '../../failure.ts'
import { startSellerOffers } from '../testing/seller-offers.ts'
import type { SellerOffers } from '../testing/seller-offers.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
let faults: SellerOffers['faults']
let ended: SellerOffers['ended']
beforeAll(async () => {
  world = await startSellerOffers(300)
  ;({ offers, faults, ended } = world)
}, 120_000)
afterEach(() => {
  faults.reset()
  world.landFlights()
})
afterAll(() => world.close())

const chosen = (some: readonly OfferRow[]) => ({ offerIds: some.map(({ offerId }) => offerId) })
const active = (): OfferRow[] => world.rows().filter((row) => row.status === 'active')
const byCents = (amount: number) =>
  ({ kind: 'price', how: { by: 'amount', cents: cents(amount) }, keepFloor: true }) as const

/** The arguments of a change as the person saw and confirmed it. */
async function confirmed(
  some: readonly OfferRow[],
  change: Parameters<typeof offers.bulks.begin>[0]['change'],
) {
  const wish = { accountId: 'seller', chosen: chosen(some), change }
  return { ...wish, fingerprint: (await offers.bulks.preview(wish)).fingerprint }
}
async function priceAtService(offerId: string): Promise<number> {
  const { price } = await world.seller('GET', `/offers/${offerId}`)
  return Math.round(Number(price) * 100)
}

test('sends each confirmed change once, and can undo all of them', async () => {
  const some = active().slice(0, 12)
  const preview = await offers.bulks.preview({
    accountId: 'seller',
    chosen: chosen(some),
    change: byCents(7),
  })
  expect(preview.summary).toMatchObject({
    changes: 12,
    stays: 0,
    leftOut: 0,
    averageCents: 7,
    biggestCents: 7,
    withoutFloor: 12,
    overGuard: 0,
  })
  const bulk = await offers.bulks.begin(await confirmed(some, byCents(7)))
  expect(await ended(bulk.bulkId)).toMatchObject({
    counts: { done: 12, refused: 0, waiting: 0, sending: 0 },
    undoable: 12,
  })
  expect(faults.sent.map(({ id }) => id).toSorted()).toEqual(
    some.map(({ offerId }) => offerId).toSorted(),
  )
  for (const row of some) expect(await priceAtService(row.offerId)).toBe(row.priceCents + 7)

  const back = await offers.bulks.undo({ accountId: 'seller', bulkId: bulk.bulkId })
  await ended(back.bulkId)
  for (const row of some) expect(await priceAtService(row.offerId)).toBe(row.priceCents)
  expect(
    offers.bulks.list({ accountId: 'seller' }).find((each) => each.bulkId === bulk.bulkId)
      ?.undoable,
  ).toBe(0)
})

test('counts the prices that a mistyped percentage changes by more than the price guard', async () => {
  const some = active().slice(0, 5)
  const summaryAt = async (hundredths: number) =>
    (
      await offers.bulks.preview({
        accountId: 'seller',
        chosen: chosen(some),
        change: { kind: 'price', how: { by: 'percent', hundredths }, keepFloor: true },
      })
    ).summary
  expect(await summaryAt(-9500)).toMatchObject({ overGuard: 5, withoutFloor: 5 })
  expect(await summaryAt(-2900)).toMatchObject({ overGuard: 0, withoutFloor: 5 })
})

test('sends prices that the price guard stops only after an extra confirmation', async () => {
  const some = active().slice(0, 3)
  const seen = await confirmed(some, {
    kind: 'price',
    how: { by: 'percent', hundredths: -9500 },
    keepFloor: true,
  })
  await expect(offers.bulks.begin(seen)).rejects.toMatchObject({
    problem: { code: 'NOT_CONFIRMED', what: 'The price guard stops 3 prices.' },
  })
  expect(faults.sent).toEqual([])
  const { bulkId } = await offers.bulks.begin({ ...seen, beyondGuard: true })
  expect((await ended(bulkId)).counts).toMatchObject({ done: 3 })
  const undo = { accountId: 'seller', bulkId }
  await expect(offers.bulks.undo(undo)).rejects.toMatchObject({
    problem: { code: 'NOT_CONFIRMED', details: { overGuard: 3 } },
  })
  await ended((await offers.bulks.undo({ ...undo, beyondGuard: true })).bulkId)
})

test('undoes as many live offers as the preview of the undo shows, and names the others', async () => {
  const some = active().slice(0, BULK_CONFIRM_ABOVE + 2)
  const [moved] = some as [OfferRow]
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(4)))
  await ended(bulkId)
  const undo = { accountId: 'seller', bulkId }
  const seen = await offers.bulks.undoPreview(undo)
  expect(seen).toMatchObject({ changes: some.length, leftOut: 0, rows: [] })
  await offers.change({
    accountId: 'seller',
    offerId: moved.offerId,
    priceCents: cents(moved.priceCents + 40),
    expectedPriceCents: cents(moved.priceCents + 4),
  })
  const now = await offers.bulks.undoPreview(undo)
  expect(now).toMatchObject({ changes: some.length - 1, leftOut: 1 })
  expect(now.rows).toEqual([
    {
      subjectId: moved.offerId,
      name: moved.name,
      platform: moved.platform,
      region: moved.region,
      deliveryType: moved.deliveryType,
    },
  ])

  const { accounts } = world.harness.context
  const { get } = accounts
  accounts.get = (accountId) => ({ ...get(accountId), mode: 'live' })
  try {
    const typed = String(some.length)
    const attempt = (fingerprint: string) => offers.bulks.undo({ ...undo, typed, fingerprint })
    await expect(attempt(seen.fingerprint)).rejects.toMatchObject({
      problem: { code: 'CHANGED_MEANWHILE' },
    })
    await expect(attempt(now.fingerprint)).rejects.toMatchObject({
      problem: { code: 'INVALID_INPUT' },
    })
    const { fingerprint, changes } = now
    const undone = await offers.bulks.undo({ ...undo, fingerprint, typed: String(changes) })
    expect((await ended(undone.bulkId)).counts).toMatchObject({ done: changes, skipped: 0 })
  } finally {
    accounts.get = get
  }
  expect(await priceAtService(moved.offerId)).toBe(moved.priceCents + 40)
  for (const row of some.slice(1, 3)) expect(await priceAtService(row.offerId)).toBe(row.priceCents)
})

test('starts one undo if two are requested together', async () => {
  const { bulkId } = await offers.bulks.begin(await confirmed(active().slice(0, 2), byCents(3)))
  await ended(bulkId)
  const undo = { accountId: 'seller', bulkId }
  const results = await Promise.allSettled([offers.bulks.undo(undo), offers.bulks.undo(undo)])
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { problem: { code: 'CONFLICT' } } },
  ])
  for (const result of results) if (result.status === 'fulfilled') await ended(result.value.bulkId)
})

test('makes an undone bulk change again, and undoes it again', async () => {
  const [row] = active() as [OfferRow]
  const first = await offers.bulks.begin(await confirmed([row], byCents(6)))
  await ended(first.bulkId)
  const titles: string[] = []
  let { bulkId } = first
  for (const price of [row.priceCents, row.priceCents + 6, row.priceCents]) {
    const reversed = await offers.bulks.undo({ accountId: 'seller', bulkId })
    await ended(reversed.bulkId)
    expect(await priceAtService(row.offerId)).toBe(price)
    titles.push(reversed.title)
    bulkId = reversed.bulkId
  }
  expect(titles).toEqual(['Undo: Prices +0.06', 'Redo: Prices +0.06', 'Undo: Prices +0.06'])
})

test('changes nothing if as many offers change as confirmed, but to another price', async () => {
  const [moved, ...others] = active().slice(0, 3) as [OfferRow, OfferRow, OfferRow]
  const seen = await confirmed([moved, ...others], byCents(5))
  await offers.change({
    accountId: 'seller',
    offerId: moved.offerId,
    priceCents: cents(moved.priceCents + 40),
    expectedPriceCents: moved.priceCents,
  })
  faults.sent.length = 0
  await expect(offers.bulks.begin(seen)).rejects.toMatchObject({
    problem: { code: 'CHANGED_MEANWHILE' },
  })
  expect(faults.sent).toEqual([])

  const now = await confirmed([moved, ...others], byCents(5))
  expect(
    offers.bulks.moves({ accountId: 'seller', seen: seen.fingerprint, now: now.fingerprint }),
  ).toMatchObject({
    total: 1,
    rows: [
      {
        subjectId: moved.offerId,
        seen: { fromCents: moved.priceCents, toCents: moved.priceCents + 5 },
        now: { fromCents: moved.priceCents + 40, toCents: moved.priceCents + 45 },
      },
    ],
  })
  await ended((await offers.bulks.begin(now)).bulkId)
  expect(await priceAtService(moved.offerId)).toBe(moved.priceCents + 45)
})

test('names the offers that joined or left the plan since it was shown', async () => {
  const [stays, leaves, joins] = active().slice(0, 3) as [OfferRow, OfferRow, OfferRow]
  const seen = await confirmed([stays, leaves], byCents(5))
  const now = await confirmed([stays, joins], byCents(5))
  const { rows: moves } = offers.bulks.moves({
    accountId: 'seller',
    seen: seen.fingerprint,
    now: now.fingerprint,
  })
  expect(moves).toMatchObject([
    { subjectId: joins.offerId, seen: null },
    { subjectId: leaves.offerId, now: null },
  ])
  expect(
    offers.bulks.moves({ accountId: 'seller', seen: 'unknown', now: now.fingerprint }),
  ).toEqual({ total: null, rows: [] })
})

test('skips an offer that someone else changed, and overwrites it only on request @long', async () => {
  const [first, second] = active() as [OfferRow, OfferRow]
  faults.before = async (operation, input) => {
    if (
      operation !== 'changeOffer' ||
      (input as { params: { id: string } }).params.id !== first.offerId
    )
      return
    faults.before = () => {}
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  await world.seller('PATCH', `/offers/${first.offerId}`, {
    price: (first.priceCents + 300) / 100,
    status: 'paused',
  })
  const { bulkId } = await offers.bulks.begin(await confirmed([first, second], byCents(9)))
  expect((await ended(bulkId)).counts).toMatchObject({ done: 1, refused: 0, skipped: 1 })
  expect(await priceAtService(first.offerId)).toBe(first.priceCents + 300)
  expect(offers.bulks.results({ accountId: 'seller', bulkId }).rows[0]).toMatchObject({
    subjectId: first.offerId,
    state: 'skipped',
    problem: { code: 'CHANGED_MEANWHILE' },
  })
  const only = (state: 'refused' | 'skipped') =>
    offers.bulks.results({ accountId: 'seller', bulkId, state })
  expect([only('skipped').rows.length, only('skipped').total]).toEqual([1, 1])
  expect([only('refused').rows.length, only('refused').total]).toEqual([0, 0])
  const { text, rows: lines } = await offers.bulks.export({ accountId: 'seller', bulkId })
  const csv = text.trimEnd().split('\r\n')
  expect([csv.length, lines]).toEqual([3, 2])
  expect(csv[1]).toContain(`${first.offerId},`)
  expect(csv[1]).toMatch(/,skipped,This offer changed in the meantime: /)
  expect(csv[2]).toMatch(/,done,,,/)
  offers.bulks.retry({ accountId: 'seller', bulkId })
  expect((await ended(bulkId)).counts, 'not among the failures').toMatchObject({ skipped: 1 })
  offers.bulks.retry({ accountId: 'seller', bulkId, skipped: true })
  await expect
    .poll(() => offers.bulks.list({ accountId: 'seller' })[0]?.counts, { timeout: 10_000 })
    .toMatchObject({ done: 2, refused: 0, skipped: 0 })
  expect(await priceAtService(first.offerId)).toBe(first.priceCents + 9)
  const { status } = await world.seller('GET', `/offers/${first.offerId}`)
  expect(status, 'the bulk changes prices only').toBe('paused')
})

test('checks the offer after a lost response, and sends only what did not arrive', async () => {
  const [arrived, not] = active() as [OfferRow, OfferRow]
  const idOf = (input: unknown): string => (input as { params: { id: string } }).params.id
  let lostBefore = 0
  faults.before = (operation, input) => {
    if (operation === 'changeOffer' && idOf(input) === not.offerId && lostBefore++ === 0)
      throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  faults.after = (operation, input) => {
    if (operation === 'changeOffer' && idOf(input) === arrived.offerId)
      throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const { bulkId } = await offers.bulks.begin(await confirmed([arrived, not], byCents(11)))
  expect((await ended(bulkId)).counts).toMatchObject({ done: 2 })
  expect(faults.sent.map(({ id }) => id).toSorted()).toEqual(
    [arrived.offerId, not.offerId].toSorted(),
  )
})

test('never sends a price again whose response was lost while the offer can’t be read', async () => {
  const [row] = active() as [OfferRow]
  let lost = false
  let failedReads = 0
  faults.before = (operation) => {
    if (!lost || operation !== 'getOffer' || failedReads++ >= 2) return
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  faults.after = (operation) => {
    if (operation !== 'changeOffer' || lost) return
    lost = true
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const { bulkId } = await offers.bulks.begin(await confirmed([row], byCents(2)))
  await expect.poll(() => failedReads, { timeout: 10_000 }).toBeGreaterThanOrEqual(1)
  expect((await ended(bulkId)).counts).toMatchObject({ done: 1 })
  expect(faults.sent).toEqual([{ id: row.offerId, price: row.priceCents + 2 }])
})

test('resumes after Keydesk stops midway, and sends nothing twice', async () => {
  const some = active().slice(0, 30)
  let calls = 0
  const stopped = Promise.withResolvers<void>()
  faults.after = (operation) => {
    if (operation !== 'changeOffer' || ++calls !== 11) return undefined
    stopped.resolve()
    // The process dies before it records this response.
    return new Promise<void>((_resolve, reject) => {
      setTimeout(() => reject(failure('CANCELLED', 'Ended.', 'Start again.')), 50)
    })
  }
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(13)))
  await stopped.promise
  world.harness.begin('seller')
  expect((await ended(bulkId)).counts).toMatchObject({ done: 30 })
  expect(faults.sent.length).toBe(30)
  expect(new Set(faults.sent.map(({ id }) => id)).size).toBe(30)
  for (const row of some) expect(await priceAtService(row.offerId)).toBe(row.priceCents + 13)
})

test('stops sending while paused, continues on resume, and never sends the rest after a cancel', async () => {
  const some = active().slice(0, 20)
  const held = Promise.withResolvers<void>()
  let asked = 0
  faults.before = async (operation) => {
    if (operation !== 'changeOffer') return
    asked += 1
    await held.promise
  }
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(3)))
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(16)
  offers.bulks.pause({ accountId: 'seller', bulkId })
  held.resolve()
  await expect
    .poll(() => offers.bulks.list({ accountId: 'seller' })[0]?.counts, { timeout: 10_000 })
    .toMatchObject({ done: 16, waiting: 4 })
  expect(world.harness.jobs.get(`offers:${bulkId}`)).toMatchObject({
    state: 'paused',
    done: 16,
    total: 20,
  })
  offers.bulks.cancel({ accountId: 'seller', bulkId })
  expect(offers.bulks.list({ accountId: 'seller' })[0]).toMatchObject({
    state: 'cancelled',
    counts: { done: 16, cancelled: 4 },
  })
  expect(world.harness.jobs.has(`offers:${bulkId}`)).toBe(false)
  expect(faults.sent.length).toBe(16)
})

test.each(['cancel', 'pause'] as const)(
  'sends nothing more after a %s while the list is read again',
  async (stop) => {
    const some = active().slice(0, 30)
    const change = await confirmed(some, byCents(3))
    world.harness.context.mirrors.database('seller').exec('UPDATE offers SET seen_at = 1')
    const reading = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    faults.before = async (operation) => {
      if (operation !== 'listOffers') return
      reading.resolve()
      await held.promise
    }
    const { bulkId } = await offers.bulks.begin(change)
    const ref = { accountId: 'seller', bulkId }
    await reading.promise
    offers.bulks[stop](ref)
    held.resolve()
    await offers.syncNow('seller')
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    expect(faults.sent).toEqual([])
    expect(offers.bulks.list(ref)[0]?.counts).toMatchObject(
      stop === 'cancel' ? { cancelled: 30, sending: 0 } : { waiting: 30, sending: 0 },
    )
    if (stop === 'pause') offers.bulks.cancel(ref)
  },
)

test('never sends a line whose request failed during a cancel, and counts it as not sent', async () => {
  const some = active().slice(0, 18)
  const held = Promise.withResolvers<void>()
  let asked = 0
  faults.before = async (operation) => {
    if (operation !== 'changeOffer') return
    asked += 1
    await held.promise
    throw failure('SERVICE_UNAVAILABLE', 'Not changed.', 'Try again.', { status: 503 })
  }
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(3)))
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(16)
  offers.bulks.cancel({ accountId: 'seller', bulkId })
  held.resolve()
  await expect
    .poll(() => offers.bulks.list({ accountId: 'seller' })[0]?.counts, { timeout: 10_000 })
    .toMatchObject({ cancelled: 18, waiting: 0, sending: 0 })
  expect(faults.sent).toEqual([])
})

test('finds out after a cancel what became of a line whose response and reading failed', async () => {
  const some = active().slice(0, 2)
  const held = Promise.withResolvers<void>()
  let asked = 0
  faults.after = async (operation) => {
    if (operation !== 'changeOffer') return
    asked += 1
    await held.promise
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  faults.before = (operation) => {
    if (operation === 'getOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(5)))
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(2)
  offers.bulks.cancel({ accountId: 'seller', bulkId })
  held.resolve()
  const counts = () => offers.bulks.list({ accountId: 'seller' })[0]?.counts
  await new Promise((resolve) => {
    setTimeout(resolve, 200)
  })
  expect(counts()).toMatchObject({ sending: 2 })
  faults.reset()
  world.landFlights()
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ done: 2, sending: 0 })
})

test('counts lines as not sent that an earlier version left queued after a cancel', async () => {
  const some = active().slice(0, 2)
  const { bulkId } = await offers.bulks.begin(await confirmed(some, byCents(1)))
  await ended(bulkId)
  world.harness.context.mirrors.database('seller').exec(`
    UPDATE offer_bulks SET state = 'cancelled' WHERE bulk_id = '${bulkId}';
    UPDATE offer_bulk_lines SET state = 'waiting' WHERE line = 1
      AND number = (SELECT number FROM offer_bulks WHERE bulk_id = '${bulkId}')`)
  world.harness.begin('seller')
  expect(offers.bulks.list({ accountId: 'seller' })[0]?.counts).toMatchObject({
    done: 1,
    cancelled: 1,
    waiting: 0,
  })
})
