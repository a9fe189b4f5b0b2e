import type { Context } from '../context.ts'
import { createDisputeSettlement } from '../disputes/dispute-settlement.ts'
import { createDisputes } from '../disputes/disputes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { SeedBuilder } from '../ports/seeding.ts'
import { createEarningReleases } from '../ledger/earning-releases.ts'
import type { DueWork } from '../clock/due-work.ts'
import type { Supply } from '../catalogue/supply.ts'

type Built = Pick<SeedBuilder, 'passTime' | 'claim' | 'addMessage' | 'replaceFromStock' | 'refund'>

/**
 * The part of the seeded data that happens after delivery: releases, claims, and their resolution.
 */
export function createSeedDisputes(context: Context, ledger: Ledger, supply: Supply): Built {
  const { store } = context
  const releases = createEarningReleases(context, ledger)
  const disputes = createDisputes(context, releases)
  const settlement = createDisputeSettlement(context, ledger, supply, releases)
  const works: readonly DueWork[] = [releases, disputes.escalations]

  /** Runs everything due up to `until`, each at its own time. */
  function passTime(until: number): void {
    for (;;) {
      const [first] = works
        .map((work) => ({ work, at: work.nextAt() ?? Number.POSITIVE_INFINITY }))
        .toSorted((a, b) => a.at - b.at)
      if (!first || first.at > until) return
      void first.work.run(first.at)
    }
  }

  return {
    passTime,
    claim({ orderNo, message, screenshot, at }) {
      passTime(at)
      const order = store.orders.findByNo(orderNo)
      const [unit] = store.orders.delivered(orderNo)
      if (!order || !unit) throw new Error(`a seeded claim has no unit in order ${orderNo}`)
      const picture =
        screenshot === undefined ? {} : { screenshot: Buffer.from(screenshot).toString('base64') }
      return disputes.claim({ orderId: order.id, keyId: unit.id, message, ...picture }, at).id
    },
    addMessage(disputeId, author, body, at) {
      passTime(at)
      disputes.addMessage(disputes.any(disputeId), author, body, at)
    },
    replaceFromStock(disputeId, at) {
      passTime(at)
      settlement.replace(disputes.any(disputeId), { fromStock: true }, at)
    },
    refund(disputeId, at) {
      passTime(at)
      settlement.refund(disputes.any(disputeId), at)
    },
  }
}
