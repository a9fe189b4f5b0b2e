import { useRef } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { succeeds } from '../../../ui/feedback/succeeds.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { AppliedPrices } from './apply-results-csv.ts'
import { changeText } from './proposal-texts.ts'

export const holdMs = 4 * 3_600_000

const named = (rows: readonly MarketRow[]): string =>
  rows[0] !== undefined && rows.length === 1
    ? productLine(rows[0])
    : t('counts.offers', { count: rows.length })

/** A person's actions on proposals. */
export function useProposals() {
  const { id: accountId } = useAccount()
  const run = (record: string, work: Promise<unknown>): Promise<boolean> =>
    succeeds(work, (error) => toastProblem(problemOf(error), record))
  const unread = useRef<string | null>(null)
  return {
    /** The offer whose panel shows a change of its proposal; it is applied only once that is read. */
    unread,
    /** Sends proposals. Returns the results to follow; null if nothing was requested. */
    async apply(rows: readonly MarketRow[]): Promise<AppliedPrices | null> {
      const offers = rows.flatMap(({ offerId, proposal }) =>
        proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
      )
      const isUnread = offers.length === 1 && offers[0]?.offerId === unread.current
      if (offers.length === 0 || isUnread) return null
      try {
        const { approved, sends, changed } = await rpc.priceWatch.approve({ accountId, offers })
        const [only] = rows
        if (approved > 0) {
          toast(
            rows.length === 1 && only?.proposal != null
              ? {
                  id: `watch-${only.offerId}`,
                  title: `${productLine(only)}: ${changeText(only.priceCents, only.proposal.targetCents)}`,
                  text: 'Checked again, then sent. You’ll receive this per key.',
                }
              : {
                  id: 'watch-apply',
                  title: `Sending ${t('counts.prices', { count: approved })}`,
                  text: 'Each price is checked again. Ctrl+. stops the rest.',
                },
          )
        }
        if (changed.length > 0)
          toast({
            kind: 'behind',
            title: t('screens.price-watch-proposals-changed', { count: changed.length }),
            text: 'Nothing was sent for them. Review the current proposals.',
          })
        return { rows, sends }
      } catch (error) {
        toastProblem(problemOf(error), named(rows))
        return null
      }
    },
    /** Resolves to whether it succeeded. */
    reject: (rows: readonly MarketRow[]): Promise<boolean> =>
      run(
        named(rows),
        rpc.priceWatch
          .reject({ accountId, offerIds: rows.map(({ offerId }) => offerId) })
          .then((earlier) =>
            toast({
              id: 'watch-reject',
              title: `${named(rows)}: rejected`,
              text: 'Not proposed again until the best price changes.',
              undo: () => run(named(rows), rpc.priceWatch.undoReject({ accountId, ...earlier })),
            }),
          ),
      ),
    /** Resolves to whether it succeeded. */
    hold: (rows: readonly MarketRow[], until: number | null): Promise<boolean> =>
      run(
        named(rows),
        rpc.priceWatch
          .hold({ accountId, offerIds: rows.map(({ offerId }) => offerId), until })
          .then((earlier) =>
            toast({
              id: 'watch-hold',
              kind: 'waits',
              title: `${named(rows)}: ${until === null ? 'held' : 'held for 4 hours'}`,
              text: 'Rules leave the price unchanged.',
              undo: () => run(named(rows), rpc.priceWatch.undoHold({ accountId, ...earlier })),
            }),
          ),
      ),
    releaseIds: (offerIds: readonly string[]): void =>
      void run(
        t('counts.offers', { count: offerIds.length }),
        rpc.priceWatch.release({ accountId, offerIds: [...offerIds] }),
      ),
    release: (rows: readonly MarketRow[]): void =>
      void run(
        named(rows),
        rpc.priceWatch
          .release({ accountId, offerIds: rows.map(({ offerId }) => offerId) })
          .then(() =>
            toast({
              id: 'watch-hold',
              title: `${named(rows)}: released`,
              text: 'The rule decides again.',
            }),
          ),
      ),
  }
}
export type Proposals = ReturnType<typeof useProposals>
