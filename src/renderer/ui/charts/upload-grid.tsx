import { t } from '../../../contract/localization/localized.ts'
import { memo } from 'react'
import { formatCount } from '../format.ts'
import styles from './upload-grid.module.css'

const states: Record<string, string> = {
  s: 'settled',
  a: 'again',
  f: 'flight',
  w: 'waiting',
  x: 'refused',
}

/**
 * One square per journaled request. `squares` holds a letter for each, in order: `s` settled, `a`
 * settled after a retry (a dot), `f` in flight (outline), `w` waiting, `x` rejected or excluded.
 * Screen readers get the picture as text.
 */
export const UploadGrid = memo(function UploadGrid({ squares }: { squares: string }) {
  const letters = [...squares]
  const settled = letters.filter((letter) => letter === 's' || letter === 'a').length
  return (
    <div
      className={styles.grid}
      role="img"
      aria-label={`${formatCount(settled)} of ${formatCount(letters.length)} squares settled`}
    >
      {letters.map((letter, index) => (
        <i key={index} data-state={states[letter] ?? 'waiting'} />
      ))}
    </div>
  )
})

/** The legend of the squares, with the number of requests per square. */
export function UploadLegend({
  requestsPerSquare,
  refused = false,
}: {
  requestsPerSquare: number
  refused?: boolean
}) {
  return (
    <div className={styles.legend}>
      <span>
        <i data-state="settled" />
        Settled
      </span>
      <span>
        <i data-state="again" />
        Retried
      </span>
      <span>
        <i data-state="flight" />
        In flight
      </span>
      <span>
        <i data-state="waiting" />
        Waiting
      </span>
      {refused ? (
        <span>
          <i data-state="refused" />
          Rejected or excluded
        </span>
      ) : null}
      <span className={styles.scale}>
        {t('screens.imports-square', { count: requestsPerSquare })}
      </span>
    </div>
  )
}
