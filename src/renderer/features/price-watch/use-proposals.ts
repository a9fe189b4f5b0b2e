import type { MarketRow } from '../../../contract/price-watch.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { rpc } from '../../lib/rpc.ts'
import { formatCents, formatCount } from '../../ui/format.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'

export const holdMs = 4 * 3_600_000

const named = (rows: readonly MarketRow[]): string =>
  rows.length === 1 ? (rows[0]?.name ?? '') : `${formatCount(rows.length)} offers`

/** What a person does with proposals. */
export function useProposals() {
  const { id: accountId } = useAccount()
  const tell = (error: unknown): void => {
    toastProblem(problemOf(error))
  }
  const run = (work: Promise<unknown>): void => void work.catch(tell)
  return {
    async apply(rows: readonly MarketRow[]): Promise<void> {
      const offers = rows.flatMap(({ offerId, proposal }) =>
        proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
      )
      if (offers.length === 0) return
      try {
        const { approved, changed } = await rpc.priceWatch.approve({ accountId, offers })
        const [only] = rows
        if (approved > 0) {
          toast(
            rows.length === 1 && only?.proposal != null
              ? {
                  id: `watch-${only.offerId}`,
                  title: `${only.name}: ${formatCents(only.priceCents)} to ${formatCents(only.proposal.targetCents)}`,
                  text: 'Looked at once more, then sent. You receive this per key from then on.',
                }
              : {
                  id: 'watch-apply',
                  title: `${formatCount(approved)} prices are being sent`,
                  text: 'Each is looked at once more. Ctrl+. stops the rest.',
                },
          )
        }
        if (changed.length > 0)
          toast({
            kind: 'behind',
            title: `${formatCount(changed.length)} had changed meanwhile`,
            text: 'They were not sent. Look at what is proposed now.',
          })
      } catch (error) {
        tell(error)
      }
    },
    reject: (rows: readonly MarketRow[]): void =>
      run(
        rpc.priceWatch
          .reject({ accountId, offerIds: rows.map(({ offerId }) => offerId) })
          .then(() =>
            toast({
              id: 'watch-reject',
              title: `${named(rows)}: turned down`,
              text: 'Not proposed again until the best price is another.',
              undo: () =>
                run(
                  rpc.priceWatch.release({
                    accountId,
                    offerIds: rows.map(({ offerId }) => offerId),
                  }),
                ),
            }),
          ),
      ),
    hold: (rows: readonly MarketRow[], until: number | null): void =>
      run(
        rpc.priceWatch
          .hold({ accountId, offerIds: rows.map(({ offerId }) => offerId), until })
          .then(() =>
            toast({
              id: 'watch-hold',
              kind: 'waits',
              title: `${named(rows)}: ${until === null ? 'held' : 'held for 4 hours'}`,
              text: 'Its price is left alone.',
              undo: () =>
                run(
                  rpc.priceWatch.release({
                    accountId,
                    offerIds: rows.map(({ offerId }) => offerId),
                  }),
                ),
            }),
          ),
      ),
    releaseIds: (offerIds: readonly string[]): void =>
      run(rpc.priceWatch.release({ accountId, offerIds: [...offerIds] })),
    release: (rows: readonly MarketRow[]): void =>
      run(
        rpc.priceWatch
          .release({ accountId, offerIds: rows.map(({ offerId }) => offerId) })
          .then(() =>
            toast({
              id: 'watch-hold',
              title: `${named(rows)}: goes on`,
              text: 'The rule decides anew.',
            }),
          ),
      ),
  }
}
export type Proposals = ReturnType<typeof useProposals>
