import { afterEach, beforeEach, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { failure } from '../../failure.ts'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

const accountId = 'seller'

let world: WatchedSeller
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
beforeEach(async () => {
  world = await startWatchedSeller()
  ;({ watch, faults } = world)
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
}, 120_000)
afterEach(() => world.close())

const found = async (offerId: string) => watch.offer({ accountId, offerId })
const latest = async (offerId: string) =>
  (await watch.decisions({ accountId, offerId, sentOnly: true })).rows[0]

/** Approves up to `most` proposals. Returns their offers with the present and the new price. */
async function approve(most: number) {
  const approved = (await world.market('proposals'))
    .flatMap(({ offerId, priceCents, proposal }) =>
      proposal === null ? [] : [{ offerId, priceCents, targetCents: proposal.targetCents }],
    )
    .slice(0, most)
  expect(approved).toHaveLength(most)
  await watch.approve({
    accountId,
    offers: approved.map(({ offerId, targetCents }) => ({ offerId, targetCents })),
  })
  return approved
}
async function approveOne() {
  const [first] = await approve(1)
  if (first === undefined) throw new Error('nothing is proposed')
  return first
}
const setAtService = (offerId: string, priceCents: number) =>
  world.seller('PATCH', `/offers/${offerId}`, { price: priceCents / 100 })

test.each([false, true])(
  'records a price as applied that arrives after its response was lost (restart: %s) @long',
  async (isRestarted) => {
    let isLost = false
    faults.before = (operation) => {
      if (operation === 'changeOffer') {
        isLost = true
        throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
      }
      if (isLost && isRestarted) throw failure('OFFLINE', 'No connection.', 'Wait.')
    }
    const { offerId, priceCents, targetCents } = await approveOne()
    await watch.now(accountId)
    faults.reset()
    if (isRestarted) await world.harness.reopen(accountId)
    await watch.now(accountId)
    expect(await found(offerId)).toMatchObject({ priceCents, sending: true })
    // It lands during this reading, which can miss it.
    faults.after = (operation) => {
      if (operation === 'getOffer') world.landFlights()
    }
    await watch.now(accountId)
    expect(await found(offerId)).toMatchObject({ priceCents, sending: true })
    await setAtService(offerId, targetCents)
    await watch.now(accountId)
    expect(await found(offerId)).toMatchObject({ priceCents: targetCents, sending: false })
    expect(await latest(offerId)).toMatchObject({
      reason: 'applied',
      inputs: { note: 'answer-lost' },
    })
    expect(faults.sent).toEqual([])
  },
)

test('sends no other price of an offer before one that an earlier run left open has landed @long', async () => {
  faults.before = (operation) => {
    if (operation === 'changeOffer') throw new TypeError('killed')
  }
  const { offerId, priceCents } = await approveOne()
  await watch.now(accountId)
  faults.reset()
  await world.harness.reopen(accountId)
  const change = world.offers.change({ accountId, offerId, priceCents: cents(priceCents + 7) })
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await change).toMatchObject({ priceCents: priceCents + 7 })
  expect(faults.sent).toHaveLength(1)
})

test('queues the others again and settles the one that a defect interrupted @long', async () => {
  faults.limit = 600
  let defects = 0
  faults.before = (operation) => {
    const isFirst = operation === 'changeOffer' && defects === 0
    // The next run can't read it either.
    const isSecond = operation === 'getOffer' && defects === 1
    if (!isFirst && !isSecond) return
    defects += 1
    throw new TypeError(`defect ${defects}`)
  }
  const [broken, ...others] = (await approve(3)).map(({ offerId }) => offerId)
  await watch.now(accountId)
  await watch.now(accountId)
  expect(world.harness.reports).toEqual([expect.any(TypeError), expect.any(TypeError)])
  expect(faults.sent.map(({ id }) => id).toSorted()).toEqual(others.toSorted())
  expect(await found(broken ?? '')).toMatchObject({ sending: true })
  world.landFlights()
  await watch.now(accountId)
  expect(await found(broken ?? '')).toMatchObject({ sending: false })
  expect(await latest(broken ?? '')).toMatchObject({ reason: 'answer-lost' })
  for (const offerId of others) expect(await latest(offerId)).toMatchObject({ reason: 'applied' })
})
