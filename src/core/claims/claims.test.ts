import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import { conclusionOf } from '../../contract/webhook-inspector.ts'
import type { WebhookResults } from '../../contract/webhook-inspector.ts'
import { cents } from '../../../server/api/money.ts'
import { startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { temporaryFolder } from '../testing/context.ts'

const folder = temporaryFolder()
let harness: TestCore
let accountId = ''
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('base64')

beforeAll(async () => {
  harness = await startTestCore(folder.path, undefined, { rates: null })
  const { accounts } = await harness.ask.sandbox.start({})
  accountId = accounts.find(({ role }) => role === 'partner')?.id ?? ''
}, 60_000)
afterAll(async () => {
  await harness.close()
  folder.remove()
})

const told = async (kind: string) =>
  (await harness.ask.notices.list())
    .filter((notice) => notice.kind === kind)
    .map(({ title, path }) => ({ title: formatMessage(title), path }))

/** Buys `qty` units of a product with enough stock, and stores their keys. */
async function buy(externalId: string, qty: number) {
  const { rows } = await until(
    () => harness.ask.catalogue.search({ accountId, filter: { inStockOnly: true } }),
    ({ rows: found }) => found.some((row) => row.deliveryType === 'key' && (row.qty ?? 0) > 8),
  )
  const product = rows
    .filter((row) => row.deliveryType === 'key' && (row.qty ?? 0) > 8)
    .toSorted((a, b) => (a.priceCents ?? 0) - (b.priceCents ?? 0))[0]
  if (product === undefined) throw new Error('nothing to buy')
  const attempt = await harness.ask.orders.place({
    accountId,
    externalId,
    lines: [
      { productId: product.productId, qty, maxUnitCents: cents((product.priceCents ?? 0) + 5000) },
    ],
  })
  return harness.ask.orders.downloadKeys({
    accountId,
    orderId: attempt.orderId ?? '',
    acknowledged: true,
  })
}

test('files a claim once with its screenshot, and marks its replacement as new', async () => {
  const order = await buy('C-replaced', 2)
  const [key] = order.keys
  const { claimId, files, message } = await harness.ask.claims.create({
    accountId,
    orderId: order.orderId,
    keyId: key?.keyId ?? '',
  })
  expect(files).toBe('here')
  expect(await harness.ask.accounts.removal({ accountId })).toMatchObject({
    keys: 2,
    unsentClaims: 1,
    queuedChanges: 0,
  })
  await harness.ask.claims.save({
    accountId,
    claimId,
    message: `${message}“Already used”`,
    screenshot: { contentType: 'image/png', base64: png },
  })
  const filed = await harness.ask.claims.file({ accountId, claimId })
  expect(await harness.ask.accounts.removal({ accountId })).toMatchObject({ unsentClaims: 0 })
  expect(filed).toMatchObject({
    state: 'filed',
    status: 'open',
    outcome: null,
    problem: null,
    screenshot: { contentType: 'image/png' },
  })
  await expect(harness.ask.claims.file({ accountId, claimId })).rejects.toMatchObject({
    data: { code: 'CONFLICT' },
  })
  await harness.ask.claims.settleAsSupplier({ accountId, claimId, how: 'replaced' })
  const settled = await until(
    () => harness.ask.claims.claim({ accountId, claimId }),
    ({ newKeyId }) => newKeyId !== null,
  )
  expect(settled).toMatchObject({ status: 'resolved', outcome: 'replaced' })
  expect(await told('claim-settled')).toMatchObject([
    { title: `Claim replaced: ${settled.name}`, path: `/claims/${claimId}` },
  ])
  const after = await harness.ask.orders.order({ accountId, orderId: order.orderId })
  expect(after.keys.filter(({ replacement }) => replacement).map(({ keyId }) => keyId)).toEqual([
    settled.newKeyId,
  ])
  const before = await harness.ask.orders.keys({ accountId, view: 'new' })
  expect(before.rows.map(({ keyId }) => keyId)).toEqual([settled.newKeyId])
  const { value } = await harness.ask.orders.revealKey({
    accountId,
    orderId: order.orderId,
    keyId: settled.newKeyId ?? '',
  })
  expect((await harness.ask.orders.keys({ accountId, view: 'new' })).total).toBe(0)
  expect(
    (await harness.ask.orders.keys({ accountId, query: ` ${value}\n` })).rows.map(
      ({ keyId }) => keyId,
    ),
  ).toEqual([settled.newKeyId])
  expect((await harness.ask.orders.keys({ accountId, view: 'claimed' })).rows).toMatchObject([
    { keyId: key?.keyId, claim: 'replaced' },
  ])
  expect(after.uses.map(({ what }) => what)).toEqual(['downloaded', 'downloaded'])
}, 60_000)

test('counts an order as work that a removal would lose, until its outcome is known', async () => {
  const inProgress = async (): Promise<number> =>
    (await harness.ask.accounts.removal({ accountId })).ordersInProgress
  await harness.ask.sandbox.control.setFaults([
    { match: { method: 'POST', path: '/v1/orders' }, times: 1, latencyMs: 600 },
  ])
  // The order of the test above settles first.
  await until(inProgress, (count) => count === 0)
  const buying = buy('C-slow', 1)
  await until(inProgress, (count) => count === 1)
  await buying
  await until(inProgress, (count) => count === 0)
  expect(await harness.ask.sandbox.control.faults()).toMatchObject([{ times: 1, hits: 1 }])
}, 60_000)

test("credits a claim to the balance and the ledger; spending and totals equal the service's to the cent", async () => {
  const order = await buy('C-credited', 1)
  const { claimId, letter } = await harness.ask.claims.create({
    accountId,
    orderId: order.orderId,
    keyId: order.keys[0]?.keyId ?? '',
  })
  const { value } = await harness.ask.orders.revealKey({
    accountId,
    orderId: order.orderId,
    keyId: order.keys[0]?.keyId ?? '',
  })
  expect(letter).toContain(order.orderId)
  expect(letter).not.toContain(value)
  await harness.ask.claims.file({ accountId, claimId })
  const before = (await harness.ask.spending.balance({ accountId })).balanceCents ?? 0
  await harness.ask.claims.settleAsSupplier({ accountId, claimId, how: 'refunded' })
  await until(
    () => harness.ask.spending.balance({ accountId }),
    ({ balanceCents }) => balanceCents === before + order.totalCents,
  )
  expect((await harness.ask.claims.claim({ accountId, claimId })).outcome).toBe('refunded')
  const { movements, total } = await harness.ask.spending.ledger({ accountId })
  expect(movements[0]).toMatchObject({
    type: 'claim_credit',
    cents: order.totalCents,
    afterCents: before + order.totalCents,
  })
  expect(total).toBeGreaterThan(2)
  const { balanceCents } = await harness.ask.spending.topUp({ accountId, cents: cents(12_345) })
  expect(balanceCents).toBe(before + order.totalCents + 12_345)
  await harness.ask.spending.setLow({ accountId, lowCents: cents(balanceCents + 1) })
  expect(await harness.ask.spending.balance({ accountId })).toMatchObject({
    low: true,
    tellsLedger: true,
  })
  // Once, regardless of how often the balance is read while it is low.
  await harness.ask.spending.setLow({ accountId, lowCents: cents(balanceCents + 2) })
  expect(await told('balance-low')).toHaveLength(1)
  const orders = await until(
    () => harness.ask.orders.list({ accountId }),
    ({ complete }) => complete,
  )
  const spent = await harness.ask.spending.spent({
    accountId,
    from: 0,
    to: Date.now() + 86_400_000,
  })
  expect(spent).toMatchObject({
    chargedCents: orders.totalCents,
    refundedCents: orders.refundedCents,
    orders: orders.total,
    complete: true,
  })
  // The claim's credit isn't one for an undelivered unit.
  expect(await harness.ask.spending.news({ accountId, since: 0 })).toEqual({
    orders: orders.total,
    creditedCents: orders.refundedCents,
  })
  expect(spent.products.reduce((sum, { cents }) => sum + cents, 0)).toBe(
    orders.totalCents - orders.refundedCents,
  )
}, 60_000)

const titleOf = ({ results }: { results: WebhookResults }): string => conclusionOf(results).title

test('shows sandbox webhooks with their order, and recognizes a resend as genuine and not new', async () => {
  const { url } = await harness.ask.webhookInspector.listen({ accountId })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook$/)
  await harness.ask.webhookInspector.requestTest({ accountId })
  const order = await buy('W-1', 1)
  const events = await until(
    () => harness.ask.webhookInspector.events({ accountId }),
    (found) => found.length >= 2,
  )
  expect(events.map((each) => `${each.event}: ${titleOf(each)}`).toSorted()).toEqual([
    'order.completed: Genuine, recent and new',
    'webhook.test: Genuine, recent and new',
  ])
  const eventKey = events.find(({ orderId }) => orderId === order.orderId)?.eventKey ?? ''
  const { compared } = await until(
    () => harness.ask.webhookInspector.event({ accountId, eventKey }),
    (event) => event.compared !== null,
  )
  expect(compared?.fields.find(({ field }) => field === 'status')).toMatchObject({
    event: 'completed',
    now: 'completed',
    result: 'same',
  })
  expect(compared?.fields.every(({ result }) => result !== 'differs')).toBe(true)
  const hook = await harness.ask.webhookInspector.event({ accountId, eventKey })
  const resend = async (body: string, changed: Record<string, string> = {}): Promise<string> => {
    const headers = hook.headers.filter(([name]) => name.toLowerCase().startsWith('x-svc'))
    await fetch(url ?? '', {
      method: 'POST',
      headers: {
        ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        ...changed,
      },
      body,
    })
    const [newest] = await harness.ask.webhookInspector.events({ accountId })
    return newest === undefined
      ? 'none'
      : `${titleOf(newest)} (${newest.results.duplicate.result}, ${newest.answered})`
  }
  expect(await resend(hook.body)).toBe('Genuine and recent, but a duplicate (sameDelivery, 204)')
  expect(await resend(hook.body, { 'x-svc-delivery': 'dlv_resent' })).toBe(
    'Genuine and recent, but a duplicate (sameEvent, 204)',
  )
  expect(await resend(`${hook.body} `)).toBe('Forged (notJudged, 400)')
  const signed = hook.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const pasted = await harness.ask.webhookInspector.paste({
    accountId,
    request: `${signed}\n\n${hook.body}`,
  })
  expect(titleOf(pasted)).toBe('Can’t tell whether it is genuine')
  expect(pasted.results.age.result).toBe('notJudged')
  expect((await harness.ask.webhookInspector.stop({ accountId })).url).toBeNull()
}, 60_000)

test('places each order of a table once, one after the other, and reports rows that can’t be placed', async () => {
  const { rows } = await harness.ask.catalogue.search({ accountId, filter: { inStockOnly: true } })
  const product = rows.find((row) => row.deliveryType === 'key' && (row.qty ?? 0) > 8)
  const table = [
    'reference,product id,units,max',
    ...Array.from({ length: 4 }, (_, index) => `B-${index},${product?.productId},1,500`),
    `B-low,${product?.productId},1,0.01`,
    'B-none,no-such,1,1',
  ].join('\n')
  const read = await harness.ask.orders.parseTable({ accountId, text: table })
  expect(read.problems).toHaveLength(1)
  const { bulkId } = await harness.ask.orders.placeMany({
    accountId,
    name: 'orders.csv',
    orders: read.orders.filter(({ problems }) => problems.length === 0),
  })
  const done = await until(
    () => harness.ask.orders.bulk({ accountId, bulkId }),
    ({ state }) => state === 'done',
  )
  expect(done.counts).toEqual({ waiting: 0, open: 0, placed: 4, refused: 1, left: 0 })
  expect(done.orders.at(-1)).toMatchObject({ state: 'refused', problem: { code: 'PRICE_CHANGED' } })
  await expect(
    harness.ask.orders.placeMany({
      accountId,
      name: 'again',
      orders: [
        {
          externalId: 'B-0',
          lines: [{ productId: product?.productId ?? '', qty: 1, maxUnitCents: cents(50_000) }],
        },
      ],
    }),
  ).rejects.toMatchObject({ data: { code: 'ATTEMPT_OPEN' } })
}, 60_000)
