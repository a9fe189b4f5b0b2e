import { rateLimits } from '../../../../../server/api/limits.ts'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { formatClockSeconds, formatCount } from '../../../ui/format.ts'
import styles from './upload.module.css'

const REQUESTS_A_MINUTE = rateLimits.uploads.max
/** Highest possible rate in keys per second, with 1,000 keys in a request (Seller API, Limits). */
const MOST_A_SECOND = (REQUESTS_A_MINUTE * 1000) / 60
const width = 240
const height = 48

/** Keys accepted per second since the upload started, with the service's limit. */
export function Pace({
  pace,
  limited,
}: {
  pace: Import['upload']['pace']
  /** Whether the service limits upload requests. */ limited: boolean
}) {
  if (pace === null || pace.keysPerSecond.length < 2) return null
  const { from, keysPerSecond, stepMs } = pace
  const most = Math.max(...keysPerSecond)
  const top = Math.max(limited ? MOST_A_SECOND : 1, most)
  const x = (step: number): number =>
    Math.round((step / (keysPerSecond.length - 1)) * width * 10) / 10
  const y = (rate: number): number => Math.round((1 - rate / top) * height * 10) / 10
  const line = keysPerSecond.map((rate, step) => `${x(step)} ${y(rate)}`).join('L')
  const latest = keysPerSecond.at(-1) ?? 0
  return (
    <section className={styles.pace} aria-label="Keys per second">
      <h2>
        Keys per second{' '}
        {limited ? <span>limit: {REQUESTS_A_MINUTE} requests per minute</span> : null}
      </h2>
      <div>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            `Since ${formatClockSeconds(from)}: at most ${t('counts.keys', { count: most })} per ` +
            `second, now ${formatCount(latest)}`
          }
        >
          {limited ? <path className={styles.limit} d={`M0 ${y(MOST_A_SECOND)}H${width}`} /> : null}
          <path className={styles.area} d={`M0 ${height}L${line}L${width} ${height}Z`} />
          <path className={styles.line} d={`M${line}`} />
        </svg>
        <span aria-hidden>{formatCount(top)}</span>
        <span aria-hidden>0</span>
      </div>
      <p>
        <time>{formatClockSeconds(from)}</time>
        <time>{formatClockSeconds(from + keysPerSecond.length * stepMs)}</time>
      </p>
    </section>
  )
}
