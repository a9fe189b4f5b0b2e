import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import styles from '../parts.module.css'
import { useOfferTerms } from './use-offer-terms.ts'

/**
 * Data about an offer that is saved only on this computer: the cost of a key, the limits of its
 * price, and the stock that counts as low.
 */
export function OfferTerms({ offer, lowStock }: { offer: OfferRow; lowStock: number }) {
  const { offerId, name, costCents, lowAt, ownFloorCents, ownCeilingCents } = offer
  const [cost, setCost] = useState(costCents)
  const [low, setLow] = useState(lowAt)
  const [floor, setFloor] = useState(ownFloorCents)
  const [ceiling, setCeiling] = useState(ownCeilingCents)
  const terms = useOfferTerms()
  const crossed = floor !== null && ceiling !== null && floor > ceiling
  const changed =
    cost !== costCents || low !== lowAt || floor !== ownFloorCents || ceiling !== ownCeilingCents
  const save = (): void => {
    if (changed && !crossed)
      terms.change(`${name}: private values`, {
        offerIds: [offerId],
        costCents: cost,
        lowAt: low,
        ownFloorCents: floor,
        ownCeilingCents: ceiling,
      })
  }
  return (
    <PanelSection title="Private to this computer">
      <div className={styles.terms}>
        <MoneyField label="Cost per key" cents={cost} onChange={setCost} onEnter={save} />
        <NumberInput
          label="Low stock at or below"
          size="sm"
          value={low ?? ''}
          placeholder={`${lowStock} (default)`}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          onChange={(value) => setLow(typeof value === 'number' ? value : null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
          }}
        />
        <MoneyField
          label="Floor (you receive)"
          cents={floor}
          onChange={setFloor}
          onEnter={save}
          wrong={floor === 0 ? 'Enter a price above 0' : null}
        />
        <MoneyField
          label="Ceiling (you receive)"
          cents={ceiling}
          onChange={setCeiling}
          onEnter={save}
          wrong={crossed ? 'Below the floor' : null}
        />
      </div>
      {changed ? (
        <div className={styles.keep}>
          <Button
            kind="primary"
            busy={terms.busy}
            disabled={crossed || floor === 0 || ceiling === 0}
            onClick={save}
          >
            Save
          </Button>
        </div>
      ) : null}
    </PanelSection>
  )
}
