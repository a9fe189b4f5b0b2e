import { t } from '../../../contract/localization/localized.ts'
import type { Batch } from '../../../contract/keys/batches.ts'
import { formatCount } from '../../ui/format.ts'
import styles from './batches.module.css'

/**
 * A batch as squares in file order: sold, sold and disputed, not sold, withdrawn. The legend shows
 * the same counts as text.
 */
export function BatchSquares({
  batch,
}: {
  batch: Batch & { squares: string; keysPerSquare: number }
}) {
  const { claimed, gone, keys, sold, keysPerSquare } = batch
  // A dispute can be synced before its sale.
  const rest = Math.max(0, keys - Math.max(sold, claimed) - gone)
  return (
    <>
      <div className={styles.squares} aria-hidden>
        {/* A square is identified by its position in the file. */}
        {/* oxlint-disable-next-line react/no-array-index-key */}
        {[...batch.squares].map((letter, index) => (
          <i key={index} data-letter={letter} />
        ))}
      </div>
      <p className={styles.legend}>
        <span>
          <i data-letter="s" aria-hidden /> Sold <b>{formatCount(Math.max(0, sold - claimed))}</b>
        </span>
        <span>
          <i data-letter="c" aria-hidden /> Sold, disputed <b>{formatCount(claimed)}</b>
        </span>
        <span>
          <i aria-hidden /> Not sold <b>{formatCount(rest)}</b>
        </span>
        {gone === 0 ? null : (
          <span>
            <i data-letter="g" aria-hidden /> Withdrawn <b>{formatCount(gone)}</b>
          </span>
        )}
      </p>
      {keysPerSquare === 1 ? null : (
        <p className={styles.legend}>
          Each square represents {t('counts.keys', { count: keysPerSquare })}.
        </p>
      )}
    </>
  )
}
