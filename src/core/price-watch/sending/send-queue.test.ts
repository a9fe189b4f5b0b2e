import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

const accountId = 'seller'
/** Prices in flight at the same time without a rate limit. */
const AT_ONCE = 4

let world: WatchedSeller
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
beforeAll(async () => {
  world = await startWatchedSeller()
  ;({ watch, faults } = world)
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
}, 120_000)
afterEach(() => faults.reset())
afterAll(() => world.close())

/** Approves up to `most` proposals. Returns the ids of their offers. */
async function approve(most: number): Promise<string[]> {
  const approved = (await world.market('proposals'))
    .flatMap(({ offerId, proposal }) =>
      proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
    )
    .slice(0, most)
  expect(approved).toHaveLength(most)
  await watch.approve({ accountId, offers: approved })
  return approved.map(({ offerId }) => offerId)
}

test('sends a few prices at a time to a service without limits, each checked before', async () => {
  // Readings are too old to send by.
  world.harness.context.mirrors
    .database(accountId)
    .exec(
      'UPDATE offers SET seen_at = seen_at - 60000; UPDATE offers_sync SET last_at = last_at - 20000',
    )
  const asked = new Map<string, number>()
  const times: string[] = []
  let running = 0
  let most = 0
  faults.before = (operation) => {
    asked.set(operation, (asked.get(operation) ?? 0) + 1)
    if (operation !== 'changeOffer') return
    most = Math.max(most, (running += 1))
  }
  faults.after = (operation) => {
    times.push(operation)
    if (operation === 'changeOffer') running -= 1
  }
  const offerIds = await approve(AT_ONCE + 2)
  await watch.now(accountId)
  expect(faults.sent.map(({ id }) => id).sort()).toEqual(offerIds.toSorted())
  expect(most).toBe(AT_ONCE)
  // More prices are queued than the list has pages, so that it is read instead of each offer.
  expect(asked.get('listOffers')).toBe(1)
  expect(asked.get('getOffer')).toBeUndefined()
  expect(times.indexOf('listOffers')).toBeLessThan(times.indexOf('changeOffer'))
})

test('sends none of the other prices after a stop, and proposes them again', async () => {
  faults.after = (operation) => {
    if (operation === 'changeOffer' && watch.switch().stoppedAt === null) void watch.stopAll()
  }
  const offerIds = await approve(AT_ONCE + 2)
  await watch.now(accountId)
  expect(faults.sent.length).toBeGreaterThan(0)
  expect(faults.sent.length).toBeLessThanOrEqual(AT_ONCE)
  faults.after = () => {}
  await watch.resume()
  await watch.now(accountId)
  const sent = faults.sent.map(({ id }) => id)
  expect(new Set(sent).size).toBe(sent.length)
  const proposed = (await world.market('proposals')).map(({ offerId }) => offerId)
  for (const offerId of offerIds) expect(proposed.includes(offerId)).toBe(!sent.includes(offerId))
})

test('sends no price of an offer that a person holds after its batch was checked', async () => {
  // Sends prices one after the other.
  faults.limit = 600
  const offerIds = await approve(2)
  let isHeld = false
  faults.before = async (operation) => {
    if (operation !== 'changeOffer' || isHeld) return
    isHeld = true
    await watch.hold({ accountId, offerIds, until: null })
  }
  await watch.now(accountId)
  expect(faults.sent).toHaveLength(1)
  for (const offerId of offerIds.filter((id) => id !== faults.sent[0]?.id))
    expect(await watch.offer({ accountId, offerId })).toMatchObject({
      sending: false,
      proposal: null,
      reason: 'held',
    })
})
