import { IconReceipt } from '@tabler/icons-react'
import { t } from '../../../contract/localization/localized.ts'
import type { ImportPurchase } from '../../../contract/keys/import-records.ts'
import { formatCents, formatCount } from '../../ui/format.ts'
import styles from './key-import.module.css'

/** Offers listed; the import history has the cost of every batch. */
const SHOWN = 50

/** The average cost per key, with its range if the keys cost different amounts. */
function costText({ costCents, lowestCents, highestCents }: ImportPurchase): string {
  if (costCents === null) return 'No cost'
  const each = `EUR ${formatCents(costCents)} per key`
  return lowestCents === null || highestCents === null || lowestCents === highestCents
    ? each
    : `${each} on average (${formatCents(lowestCents)} to ${formatCents(highestCents)})`
}

/** What happens to the offer's cost, or happened to it. */
function effectText({ costCents, costNowCents }: ImportPurchase, isOver: boolean): string | null {
  if (costCents === null) return null
  if (isOver) return 'Saved as the cost of the batch and of the offer'
  if (costNowCents === costCents) return 'No change of the offer’s cost'
  return costNowCents === null
    ? 'The upload sets it as the offer’s cost'
    : `The upload changes the offer’s cost: ${formatCents(costNowCents)} → ${formatCents(costCents)}`
}

/** The costs and suppliers that the files contain, by offer. */
export function Purchases({
  purchases,
  isOver,
}: {
  purchases: readonly ImportPurchase[]
  /** The upload has started, so the costs are saved. */
  isOver: boolean
}) {
  if (purchases.length === 0) return null
  return (
    <section className={styles.purchases} aria-label="Costs">
      <h2>Costs</h2>
      <ul>
        {purchases.slice(0, SHOWN).map((purchase) => {
          const { offerId, name, platform, region, keys, priced, unreadable, suppliers } = purchase
          const effect = effectText(purchase, isOver)
          const notes = [
            priced === keys ? '' : `${formatCount(priced)} of ${t('counts.keys', { count: keys })}`,
            unreadable === 0 ? '' : t('screens.imports-cost-unreadable', { count: unreadable }),
            suppliers.join(', '),
          ].filter((note) => note !== '')
          return (
            <li key={offerId}>
              <IconReceipt size={15} stroke={1.6} aria-hidden />
              <div>
                <b>{name}</b>
                <span>{` ${platform} · ${region}`}</span>
                <div>{[costText(purchase), ...notes].join(' · ')}</div>
                {effect === null ? null : <small>{effect}</small>}
              </div>
            </li>
          )
        })}
      </ul>
      {purchases.length > SHOWN ? (
        <p>and {t('counts.offers', { count: purchases.length - SHOWN })} more</p>
      ) : null}
    </section>
  )
}
