import { IconX } from '@tabler/icons-react'
import type { Account } from '../../../contract/accounts.ts'
import type { DisputeDetail } from '../../../contract/dispute-records.ts'
import { AccountLink } from '../../lib/account-link.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatCount, formatEur, formatMoment } from '../../ui/format.ts'
import { PanelSection } from '../../ui/page.tsx'
import { DisputeAlarm } from './batch-alarm.tsx'
import styles from './disputes.module.css'
import { KeySection } from './key-section.tsx'
import { plural } from './words.ts'

/** The sale, the key's history, the batch alarm and earlier disputes, next to the conversation. */
export function ContextPanel({
  account,
  detail,
  onPauseOffer,
  onClose,
}: {
  account: Account
  detail: DisputeDetail
  onPauseOffer: () => void
  onClose: (() => void) | null
}) {
  const { sale, offer, origin, earlier } = detail
  const now = Date.now()
  const unknown = <span className={styles.quiet}>unknown</span>
  return (
    <aside className={styles.context} aria-label="About this sale">
      <PanelSection
        title="Sale"
        aside={
          <span className={styles.saleId}>
            {detail.saleId === null ? (
              unknown
            ) : sale === null ? (
              <span className="kd-mono">{detail.saleId}</span>
            ) : (
              <AccountLink
                accountId={detail.accountId}
                className="kd-mono"
                path={`/sales/${encodeURIComponent(detail.saleId)}`}
              >
                {detail.saleId}
              </AccountLink>
            )}
            {onClose === null ? null : (
              <IconButton small label="Close the side panel" onClick={onClose}>
                <IconX size={16} stroke={1.6} />
              </IconButton>
            )}
          </span>
        }
      >
        <Facts>
          <Fact label="Customer paid">
            {sale?.customerCents == null ? unknown : formatEur(sale.customerCents)}
          </Fact>
          <Fact label="You receive">
            {sale?.priceCents == null ? unknown : formatEur(sale.priceCents)}
          </Fact>
          <Fact label={sale?.held === true ? 'Release held since' : 'Release'}>
            {sale === null
              ? unknown
              : sale.held
                ? detail.openedAt === null
                  ? 'held'
                  : formatMoment(detail.openedAt, now)
                : sale.status === 'pending'
                  ? sale.releaseAt === null
                    ? 'pending'
                    : formatMoment(sale.releaseAt, now)
                  : sale.status}
          </Fact>
          <Fact label="In stock now">
            {offer === null ? (
              unknown
            ) : (
              <>
                {plural(offer.stock, 'key')}
                {offer.status === 'active' ? '' : `, ${offer.status}`}
              </>
            )}
          </Fact>
        </Facts>
        <div className={styles.links}>
          {detail.offerId === null ? null : (
            <AccountLink
              accountId={detail.accountId}
              className={styles.link}
              path={`/offers/${encodeURIComponent(detail.offerId)}`}
            >
              Offer
            </AccountLink>
          )}
          {detail.productId === null ? null : (
            <AccountLink
              accountId={detail.accountId}
              className={styles.link}
              path={`/catalogue/${encodeURIComponent(detail.productId)}`}
            >
              Product
            </AccountLink>
          )}
        </div>
      </PanelSection>
      <KeySection detail={detail} now={now} />
      <DisputeAlarm account={account} detail={detail} onPauseOffer={onPauseOffer} />
      <PanelSection title="Earlier disputes">
        <Facts>
          <Fact label={origin === null ? 'In its batch' : `In ${origin.batchName}`}>
            {earlier.batch === null
              ? unknown
              : earlier.batch.claimed <= 1
                ? 'none'
                : `${formatCount(earlier.batch.claimed - 1)} of ${plural(earlier.batch.keys, 'key')}, ${formatCount(earlier.batch.replaced)} replaced`}
          </Fact>
          <Fact label="On this product">
            {earlier.product === 0
              ? 'none'
              : `${formatCount(earlier.product)}, ${formatCount(earlier.productReplaced)} of them replaced`}
          </Fact>
          <Fact label="On this order">
            {earlier.order === 0 ? 'none' : formatCount(earlier.order)}
          </Fact>
        </Facts>
      </PanelSection>
    </aside>
  )
}
