import { IconArrowsVertical, IconShieldDown, IconShieldUp } from '@tabler/icons-react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { plainEuros } from '../../../../../server/api/money.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { createQuestion } from '../../../lib/question.ts'
import type { Question } from '../../../lib/question.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatCents, formatEur } from '../../../ui/format.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import styles from './guard.module.css'
import { guardPrice, plainChange } from './price-guard.ts'
import type { GuardedPrice } from './price-guard.ts'
import { useCurrentOffer } from './use-current-offer.ts'

/** The offer at the time of typing, the typed price, and the guard's percentage. */
type Subject = { offer: ListedOffer; toCents: Cents; percent: number }
const guard = createQuestion<Subject, Cents | null>(null)

/**
 * Asks before a guarded price is sent. Resolves to the current price that the person compared it
 * with; null if the price isn't sent.
 */
export const confirmGuardedPrice = (
  offer: ListedOffer,
  toCents: Cents,
  percent: number,
): Promise<Cents | null> => guard.ask({ offer, toCents, percent })

/** The question before a guarded price is sent, on any page. */
export function GuardDialog() {
  const question = guard.useQuestion()
  return question === null ? null : <OpenDialog question={question} />
}

/** The dialog freezes its texts: its button works only while they are still true. */
function OpenDialog({
  question: {
    subject: { offer: asked, toCents, percent },
    answer,
  },
}: {
  question: Question<Subject, Cents | null>
}) {
  const account = useAccount()
  const offer = useCurrentOffer(asked)
  const { fromCents, overPercent, floorCents, ceilingCents } =
    guardPrice(offer, toCents, percent) ?? plainChange(offer.priceCents, toCents)
  const icon = { size: 16, stroke: 1.6 }
  return (
    <ConfirmDialog
      opened
      onClose={() => answer(null)}
      account={account}
      title={`Change the price of ${offer.name} to ${formatEur(toCents)}?`}
      lead={`${variantLabel(offer)}. You receive ${formatEur(fromCents)} now.`}
      effects={[
        {
          icon: <IconArrowsVertical {...icon} />,
          what: `${formatCents(fromCents)} to ${formatCents(toCents)}`,
          ...(overPercent !== null && { more: `Your price guard asks above ${overPercent} %.` }),
          amount: percentChange(fromCents, toCents),
          ...(overPercent !== null && { tone: 'warn' as const }),
        },
        ...(floorCents === null
          ? []
          : [
              {
                icon: <IconShieldDown {...icon} />,
                what: `Below the floor of ${formatCents(floorCents)}`,
                more: 'A rule will propose to raise it again.',
                tone: 'warn' as const,
              },
            ]),
        ...(ceilingCents === null
          ? []
          : [
              {
                icon: <IconShieldUp {...icon} />,
                what: `Above the ceiling of ${formatCents(ceilingCents)}`,
                more: 'A rule will propose to lower it again.',
                tone: 'warn' as const,
              },
            ]),
      ]}
      confirmLabel={`Change price to ${formatEur(toCents)}`}
      typed={{ text: plainEuros(toCents), verb: 'change the price' }}
      onConfirm={async () => answer(fromCents)}
    />
  )
}

/**
 * Shown below a price cell in place of saving it. The focus stays in the cell, so that a corrected
 * price saves as usual.
 */
export function GuardCard({
  guarded: { fromCents, toCents, overPercent, floorCents, ceilingCents, suggestedCents },
  onUse,
  onSave,
}: {
  guarded: GuardedPrice
  onUse: (cents: Cents) => void
  onSave: () => void
}) {
  return (
    <div className={styles.card} role="alert">
      <b>
        {overPercent !== null
          ? 'Unusual price'
          : floorCents === null
            ? 'Above the ceiling'
            : 'Below the floor'}
      </b>
      <span className={styles.change}>
        <MoneyChange from={fromCents} to={toCents} />
        <span>{percentChange(fromCents, toCents)}</span>
      </span>
      <p>
        {overPercent === null ? null : `More than ${overPercent} % from the current price. `}
        {floorCents === null ? null : `The floor is ${formatCents(floorCents)}. `}
        {ceilingCents === null ? null : `The ceiling is ${formatCents(ceilingCents)}. `}
        Not saved. Correct it, or press Esc to keep {formatCents(fromCents)}.
      </p>
      <div className={styles.buttons}>
        {suggestedCents === null ? null : (
          <Button onClick={() => onUse(suggestedCents)}>Use {formatCents(suggestedCents)}</Button>
        )}
        <Button kind="quiet" keys={['Ctrl', 'Enter']} onClick={onSave}>
          Save {formatCents(toCents)}…
        </Button>
      </div>
    </div>
  )
}
