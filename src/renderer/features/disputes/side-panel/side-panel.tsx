import { t } from '../../../../contract/localization/localized.ts'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BatchDisputes, DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { AccountLink } from '../../../lib/account/account-link.tsx'
import { useAccountNows } from '../../../lib/account/account-time.tsx'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatCount, formatEur, formatMoment } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { DisputeAlarm } from './batch-alarm.tsx'
import shared from '../disputes.module.css'
import styles from './side-panel.module.css'
import { KeySection } from './key-section.tsx'

const unknown = <span className={shared.quiet}>unknown</span>

/** The sale, the key's history, the batch alarm and earlier disputes, next to the conversation. */
export function DisputeSidePanel({
  account,
  detail,
  onPauseOffer,
  onSelectBatch,
  onClose,
}: {
  account: Account
  detail: DisputeDetail
  onPauseOffer: () => void
  onSelectBatch: (batchId: string) => void
  onClose: (() => void) | null
}) {
  const now = useAccountNows()(detail.accountId)
  return (
    <aside className={styles.context} aria-label="About this sale">
      <SaleSection detail={detail} now={now} onClose={onClose} />
      <KeySection detail={detail} now={now} />
      <DisputeAlarm
        account={account}
        detail={detail}
        onPauseOffer={onPauseOffer}
        onSelectBatch={onSelectBatch}
      />
      <EarlierSection detail={detail} />
    </aside>
  )
}

/** The release of the sale's money: its state or date. */
function releaseText({ sale, openedAt }: DisputeDetail, now: number): ReactNode {
  if (sale === null) return unknown
  if (sale.held) return openedAt === null ? 'held' : formatMoment(openedAt, now)
  if (sale.status !== 'pending') return sale.status
  return sale.releaseAt === null ? 'pending' : formatMoment(sale.releaseAt, now)
}

function SaleSection({
  detail,
  now,
  onClose,
}: {
  detail: DisputeDetail
  now: number
  onClose: (() => void) | null
}) {
  const { sale, offer } = detail
  return (
    <PanelSection
      title="Sale"
      aside={
        <span className={styles.saleId}>
          <SaleId detail={detail} />
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
          {releaseText(detail, now)}
        </Fact>
        <Fact label="In stock now">
          {offer === null ? (
            unknown
          ) : (
            <>
              {t('counts.keys', { count: offer.stock })}
              {offer.status === 'active' ? '' : `, ${offer.status}`}
            </>
          )}
        </Fact>
      </Facts>
      <Links detail={detail} />
    </PanelSection>
  )
}

/** The other disputes of the batch: "3 of 110 keys, 2 replaced". */
function batchText({ claimed, keys, replaced }: BatchDisputes): string {
  if (claimed <= 1) return 'none'
  return `${formatCount(claimed - 1)} of ${t('counts.keys', { count: keys })}, ${formatCount(replaced)} replaced`
}

function EarlierSection({ detail: { origin, earlier } }: { detail: DisputeDetail }) {
  return (
    <PanelSection title="Earlier disputes">
      <Facts>
        <Fact label={origin === null ? 'In its batch' : `In ${origin.batchName}`}>
          {earlier.batch === null ? unknown : batchText(earlier.batch)}
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
  )
}

function SaleId({ detail: { accountId, saleId, sale } }: { detail: DisputeDetail }) {
  if (saleId === null) return unknown
  if (sale === null) return <span className="kd-mono">{saleId}</span>
  return (
    <AccountLink
      accountId={accountId}
      className="kd-mono"
      path={`/sales/${encodeURIComponent(saleId)}`}
    >
      {saleId}
    </AccountLink>
  )
}

function Links({ detail }: { detail: DisputeDetail }) {
  return (
    <div className={styles.links}>
      {detail.offerId === null ? null : (
        <AccountLink
          accountId={detail.accountId}
          className={shared.link}
          path={`/offers/${encodeURIComponent(detail.offerId)}`}
        >
          Offer
        </AccountLink>
      )}
      {detail.productId === null ? null : (
        <AccountLink
          accountId={detail.accountId}
          className={shared.link}
          path={`/catalogue/${encodeURIComponent(detail.productId)}`}
        >
          Product
        </AccountLink>
      )}
    </div>
  )
}
