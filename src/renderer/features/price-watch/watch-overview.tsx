import { t } from '../../../contract/localization/localized.ts'
import type { rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { FigureStrip } from '../../ui/data-display/facts.tsx'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { formatCents, formatClock, formatCount } from '../../ui/format.ts'
import { HourLine } from './market/hour-line.tsx'
import styles from './price-watch.module.css'

type Overview = Awaited<ReturnType<typeof rpc.priceWatch.overview>>

/** How many rules apply prices automatically, or since when all are stopped. */
export function AutoApplyState({ overview }: { overview: Overview }) {
  return (
    <span className={styles.auto}>
      {overview.stoppedAt === null ? (
        <>
          <Mark kind={overview.auto > 0 ? 'ok' : 'skip'} size={12} />
          {t('screens.price-watch-auto-apply', {
            auto: overview.auto,
            count: overview.rules,
          })}
        </>
      ) : (
        <>
          <Mark kind="bad" size={12} />
          Stopped since {formatClock(overview.stoppedAt)}
        </>
      )}
    </span>
  )
}

/** Offers whose prices another tool changed, which the rules leave alone until they are released. */
export function ChangedElsewhere({
  overview,
  onRelease,
}: {
  overview: Overview
  onRelease: () => void
}) {
  if (overview.elsewhere.offers.length === 0) return null
  return (
    <div className={styles.notice}>
      <Notice
        tone="warn"
        title={
          overview.elsewhere.suspended
            ? 'Another tool is also changing this shop’s prices. Rules only propose until you review.'
            : t('screens.price-watch-changed-elsewhere', {
                count: overview.elsewhere.offers.length,
              })
        }
        action={<Button onClick={onRelease}>Release offers</Button>}
      >
        {t('screens.price-watch-elsewhere', { count: overview.elsewhere.offers.length })}
      </Notice>
    </div>
  )
}

const lossDetail = ({ lostPerDayCents, lostUnknown }: Overview): string =>
  lostPerDayCents === null
    ? 'no sales to judge it by'
    : `EUR per day${lostUnknown === 0 ? '' : `, ${formatCount(lostUnknown)} unknown`}`

/** Who leads now, the estimated loss, and the share of time in the lead. */
export function WatchFigures({ overview }: { overview: Overview }) {
  return (
    <div className={styles.figures}>
      <FigureStrip
        label="Price watch figures"
        figures={[
          {
            label: 'Leading',
            value: formatCount(overview.counts.leading),
            detail: `of ${formatCount(overview.counts.watched)} watched`,
          },
          {
            label: 'Losing',
            value: formatCount(overview.counts.losing),
            detail: `${formatCount(overview.lostToday)} lost today`,
          },
          {
            label: 'Estimated loss',
            value:
              overview.lostPerDayCents === null ? 'unknown' : formatCents(overview.lostPerDayCents),
            detail: lossDetail(overview),
          },
          {
            label: 'Proposals',
            value: formatCount(overview.counts.proposals),
            detail:
              overview.counts.sending === 0
                ? 'to decide'
                : `to decide, ${formatCount(overview.counts.sending)} being sent`,
          },
          {
            label: 'Time in the lead',
            value:
              overview.leadDay === null ? 'unknown' : `${(overview.leadDay * 100).toFixed(1)} %`,
            detail: (
              <>
                24 h <HourLine shares={overview.leadHours} />
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
