import type { Batch } from '../../../contract/batches.ts'
import { formatCount } from '../../ui/format.ts'
import styles from './batches.module.css'

/**
 * A batch as squares in the order of its file: sold, sold and claimed, not sold, taken back; the
 * counts below say the same in words.
 */
export function BatchSquares({
  batch,
}: {
  batch: Batch & { squares: string; keysPerSquare: number }
}) {
  const { claimed, gone, keys, sold, keysPerSquare } = batch
  // A claim may be read before its sale.
  const rest = Math.max(0, keys - Math.max(sold, claimed) - gone)
  return (
    <>
      <div className={styles.squares} aria-hidden>
        {/* A square is its place in the file. */}
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
          <i data-letter="c" aria-hidden /> Sold, claimed <b>{formatCount(claimed)}</b>
        </span>
        <span>
          <i aria-hidden /> Not sold <b>{formatCount(rest)}</b>
        </span>
        {gone === 0 ? null : (
          <span>
            <i data-letter="g" aria-hidden /> Taken back <b>{formatCount(gone)}</b>
          </span>
        )}
      </p>
      {keysPerSquare === 1 ? null : (
        <p className={styles.legend}>One square is one of {formatCount(keysPerSquare)} keys.</p>
      )}
    </>
  )
}
