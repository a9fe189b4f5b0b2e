import { useMutation } from '@tanstack/react-query'
import type { OfferTermsRecord } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'

/** The offers to change, and their new values; omitted values stay. */
export type TermsChange = { offerIds: string[] } & Partial<Omit<OfferTermsRecord, 'offerId'>>

/** Changes the values of offers that are private to this computer. Each change can be undone. */
export function useOfferTerms() {
  const { id: accountId } = useAccount()
  const set = useMutation(api.offers.setTerms.mutationOptions())
  const again = async (title: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      toastProblem(problemOf(error), title)
      return false
    }
  }
  return {
    busy: set.isPending,
    /** `title`: what the history calls the change: "Cinderkeep: private values". */
    change(title: string, change: TermsChange, done: () => void = () => {}): void {
      set.mutate(
        { accountId, ...change },
        {
          onSuccess: ({ changed, before }) => {
            if (changed > 0)
              toast({
                title,
                text: 'Saved on this computer only. Nothing was sent.',
                undo: () =>
                  again(title, () => rpc.offers.restoreTerms({ accountId, terms: before })),
                redo: () => again(title, () => rpc.offers.setTerms({ accountId, ...change })),
              })
            done()
          },
          onError: (error) => void toastProblem(problemOf(error), title),
        },
      )
    },
  }
}
