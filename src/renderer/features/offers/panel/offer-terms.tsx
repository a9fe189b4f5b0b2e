import { NumberInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../parts.module.css'

/**
 * Data about an offer that is saved only on this computer: the cost of a key, and the stock that
 * counts as low.
 */
export function OfferTerms({ offer, lowStock }: { offer: OfferRow; lowStock: number }) {
  const { id: accountId } = useAccount()
  const [cost, setCost] = useState(offer.costCents)
  const [lowAt, setLowAt] = useState<number | null>(offer.lowAt)
  useEffect(() => {
    setCost(offer.costCents)
    setLowAt(offer.lowAt)
  }, [offer.costCents, offer.lowAt])
  const set = useMutation(
    api.offers.setTerms.mutationOptions({
      onError: (error) => void toastProblem(problemOf(error)),
    }),
  )
  const changed = cost !== offer.costCents || lowAt !== offer.lowAt
  const save = (): void => {
    if (changed) set.mutate({ accountId, offerIds: [offer.offerId], costCents: cost, lowAt })
  }
  return (
    <PanelSection title="Private to this computer">
      <div className={styles.terms}>
        <MoneyField label="Cost per key" cents={cost} onChange={setCost} onEnter={save} />
        <NumberInput
          label="Low stock at or below"
          size="sm"
          value={lowAt ?? ''}
          placeholder={`${lowStock} (default)`}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          onChange={(value) => setLowAt(typeof value === 'number' ? value : null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
          }}
        />
      </div>
      {changed ? (
        <div className={styles.keep}>
          <Button kind="primary" busy={set.isPending} onClick={save}>
            Save
          </Button>
        </div>
      ) : null}
    </PanelSection>
  )
}
