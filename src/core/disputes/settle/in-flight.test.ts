import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../server/api/time.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import { problemOf, until } from '../../testing/core.ts'
import { skippingClock } from '../../testing/skipping-clock.ts'
import { startDisputedSeller } from '../testing/disputed-seller.ts'
import type { DisputedSeller } from '../testing/disputed-seller.ts'

const { clock, skip } = skippingClock()
let seller: DisputedSeller
let accountId: string
beforeAll(async () => {
  seller = await startDisputedSeller(clock)
  ;({ accountId } = seller)
}, 120_000)
afterEach(() => seller.reset())
afterAll(() => seller.close())

/** Loses the requests of a dispute; `onRead` runs before each later reading of the dispute. */
function lose(disputeId: string, onRead = (): void => {}): void {
  let isLost = false
  seller.proxy.decide = (method, path) => {
    if (!path.includes(`/disputes/${disputeId}`)) return 'pass'
    if (method === 'POST') {
      isLost = true
      return 'cut'
    }
    if (isLost) onRead()
    return 'pass'
  }
}
const answer = (disputeId: string) =>
  problemOf(seller.ask.disputes.answer({ accountId, disputeId, text: 'A new key.' }))
const refund = (disputeId: string) =>
  problemOf(
    seller.ask.disputes.act({
      accountId,
      disputeId,
      kind: 'refund',
      seen: { status: 'open', messages: 1 },
    }),
  )

it.each([
  ['answer', answer],
  ['refund', refund],
])(
  'keeps a lost %s unknown if it could still arrive while the dispute was read',
  async (what, send) => {
    const disputeId = await seller.claim()
    let reads = 0
    lose(disputeId, () => {
      reads += 1
      if (reads === 1) skip(IN_FLIGHT_MS)
    })
    expect(await send(disputeId)).toMatchObject({ code: 'ANSWER_LOST' })
    const { pending, actions } = await seller.detail(disputeId)
    const [part] = what === 'answer' ? pending : actions
    expect([part?.state, reads]).toEqual(['unknown', 1])
  },
)

it.each([
  ['answer', answer],
  ['refund', refund],
])(
  'keeps an unknown %s of an earlier run open until it can no longer arrive @long',
  async (what, send) => {
    const disputeId = await seller.claim()
    lose(disputeId)
    expect(await send(disputeId)).toMatchObject({ code: 'ANSWER_LOST' })
    await seller.stopConsole()
    let isRead = false
    let isListed = false
    seller.proxy.served = ({ method, path }) => {
      if (method === 'GET' && path.endsWith(`/disputes/${disputeId}`)) isRead = true
      // The list is read after each unknown part was looked up.
      else if (path.includes('/disputes?')) isListed = isRead
    }
    // The wall clock says nothing about when its last request was sent.
    await seller.startConsole({ ...clock, now: () => clock.now() + HOUR_MS })
    const state = async () => {
      const { pending, actions } = await seller.detail(disputeId)
      return (what === 'answer' ? pending : actions)[0]?.state
    }
    await until(() => isListed, Boolean)
    expect(await state()).toBe('unknown')
    skip(IN_FLIGHT_MS)
    await seller.ask.accounts.syncNow({ accountId })
    await until(state, (now) => now === 'refused')
  },
)

it.each([
  ['answer', 'messages', 'reply'],
  ['refund', 'refund', 'refund'],
] as const)(
  'keeps an unknown %s open that is lost again when it is retried @long',
  async (what, path, outcome) => {
    const disputeId = await seller.claim()
    let reads = 0
    let isLost = false
    seller.proxy.decide = (method, asked) => {
      if (!asked.includes(`/disputes/${disputeId}`)) return 'pass'
      if (method === 'GET' && isLost) reads += 1
      if (method !== 'POST' || !asked.endsWith(`/${path}`)) return 'pass'
      isLost = true
      return 'cut'
    }
    const state = async () => {
      const { pending, actions } = await seller.detail(disputeId)
      return (what === 'answer' ? pending : actions)[0]?.state
    }
    const request = seller.plan([disputeId], outcome)
    const { planId } = await seller.ask.disputes.planBulkReply(request)
    const [reply] = await seller.ask.disputes.sendBulkReply({ ...request, planId })
    await seller.sendNow(reply?.replyId ?? '')
    await until(state, (now) => now === 'unknown')
    skip(IN_FLIGHT_MS)
    await until(seller.bulkStates, (states) => states[0] === 'failed')
    isLost = false
    const [retried] = await seller.retryBulk(reply?.bulkId ?? '')
    await seller.sendNow(retried?.replyId ?? '')
    await until(() => isLost, Boolean)
    const before = reads
    await until(
      () => reads,
      (count) => count > before,
    )
    // That reading is processed after its response.
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    expect([await state(), await seller.bulkStates()]).toEqual(['unknown', ['sending']])
  },
)
