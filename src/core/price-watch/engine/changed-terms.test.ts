import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { Cents } from '../../../../server/api/money.ts'
import { writeTerms } from '../../offers/offers.ts'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

let world: WatchedSeller
beforeAll(async () => {
  world = await startWatchedSeller()
}, 120_000)
afterAll(() => world.close())

const accountId = 'seller'
const proposed = async (): Promise<string[]> =>
  (await world.market('proposals')).map(({ offerId }) => offerId)

test('drops a proposal below a cost or a floor right after a person entered it', async () => {
  const { offers, watch, market } = world
  const setCosts = (offerIds: string[], costCents: Cents) =>
    offers.setTerms({ accountId, offerIds, costCents })
  const all = (await market('all')).map(({ offerId }) => offerId)
  setCosts(all, cents(1))
  const floor = { kind: 'cost', profitCents: cents(0), profitPercent: 0 } as const
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule({ floor }) })
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
  const [first, second] = await market('proposals')
  if (first?.proposal == null || second?.proposal == null) throw new Error('too few proposals')

  const { before } = setCosts([first.offerId], cents(first.proposal.targetCents + 1))
  await turn()
  expect(await proposed()).not.toContain(first.offerId)

  const ownFloorCents = cents(second.proposal.targetCents + 1)
  offers.setTerms({ accountId, offerIds: [second.offerId], ownFloorCents })
  await turn()
  expect(await proposed()).not.toContain(second.offerId)

  // A table of costs is saved without the feature of offers.
  const changes = before.map(({ offerId, costCents }) => ({ offerId, change: { costCents } }))
  writeTerms(world.harness.context.mirrors.database(accountId), changes, 1)
  await turn()
  expect(await proposed()).toContain(first.offerId)
})
