import { memo } from 'react'
import { formatCount } from './format.ts'
import styles from './upload-grid.module.css'

const states: Record<string, string> = {
  s: 'settled',
  a: 'again',
  f: 'flight',
  w: 'waiting',
  x: 'refused',
}

/**
 * One square is one journaled request. `squares` holds a letter each, in order: `s` settled, `a`
 * settled after being sent again (a dot), `f` in flight (outline), `w` waiting, `x` refused. A
 * picture, told in words to those who don't see it.
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

/** What the squares mean, and how many requests one stands for. */
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
        Sent again
      </span>
      <span>
        <i data-state="flight" />
        Sent, waiting for the answer
      </span>
      <span>
        <i data-state="waiting" />
        Waiting
      </span>
      {refused ? (
        <span>
          <i data-state="refused" />
          Refused
        </span>
      ) : null}
      <span className={styles.scale}>
        {requestsPerSquare === 1
          ? 'One square is one request of up to 1,000 keys, written down before it is sent.'
          : `One square is up to ${formatCount(requestsPerSquare)} requests of up to 1,000 keys, written down before they are sent.`}
      </span>
    </div>
  )
}
