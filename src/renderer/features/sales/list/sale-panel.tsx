import { useQuery } from '@tanstack/react-query'
import { IconBooks, IconMessageReport, IconTag, IconTimeline } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { SaleRow } from '../../../../contract/sales.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../../ui/controls/buttons/copy-button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatEur, formatFullMoment, formatMoment, formatUtc } from '../../../ui/format.ts'
import { Timeline, type TimelineEvent } from '../../../ui/data-display/timeline.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { costSourceWords, stateText } from '../words.tsx'
import styles from '../sales.module.css'

/** One sale: its earnings and state, with links to its offer, dispute and key. */
export function SalePanel({ saleId, onClose }: { saleId: string; onClose: () => void }) {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const found = useQuery(api.sales.sale.queryOptions({ input: { accountId, saleId } }))
  const sale = found.data
  if (sale === undefined)
    return (
      <SidePanel title="Sale" detail={<span className="kd-mono">{saleId}</span>} onClose={onClose}>
        {found.isError ? (
          <ErrorState problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : null}
      </SidePanel>
    )
  return (
    <SidePanel title={sale.name} detail={variantLabel(sale)} onClose={onClose}>
      <PanelSection title={stateText(sale, now)}>
        <SaleFacts sale={sale} />
      </PanelSection>
      <PanelSection title="Timeline">
        <Timeline label="Sale timeline" events={eventsOf(sale)} />
      </PanelSection>
      <PanelSection title="See also">
        <SaleLinks sale={sale} />
      </PanelSection>
    </SidePanel>
  )
}

function SaleFacts({ sale }: { sale: SaleRow }) {
  return (
    <Facts>
      <Fact label="You receive" strong>
        {sale.priceCents === null ? 'unknown' : formatEur(sale.priceCents)}
      </Fact>
      <Fact label="Customer paid">
        {sale.customerCents === null ? 'unknown' : formatEur(sale.customerCents)}
      </Fact>
      <Fact label="Cost">
        {sale.costCents === null ? '–' : formatEur(sale.costCents)}
        {sale.costSource === null ? null : (
          <span className={styles.grey}> {costSourceWords[sale.costSource]}</span>
        )}
      </Fact>
      <Fact label={sale.costSource === 'offer' ? 'Profit, estimated' : 'Profit'}>
        {sale.profitCents === null ? '–' : formatEur(sale.profitCents)}
      </Fact>
      <Fact label="Sale" mono>
        <Id id={sale.saleId} what="sale id" />
      </Fact>
      {sale.orderId === null ? null : (
        <Fact label="Order" mono>
          <Id id={sale.orderId} what="order id" />
        </Fact>
      )}
      <Fact label="Read from the service">{formatMoment(sale.seenAt, Date.now())}</Fact>
    </Facts>
  )
}

/** The pages of the records that belong to a sale. */
function SaleLinks({ sale }: { sale: SaleRow }) {
  const [, go] = useLocation()
  const to = (path: string, id: string) => () => go(`${path}${encodeURIComponent(id)}`)
  const icon = { size: 16, stroke: 1.6 }
  return (
    <div className={styles.buttons}>
      {sale.disputeId === null ? null : (
        <Button icon={<IconMessageReport {...icon} />} onClick={to('/disputes/', sale.disputeId)}>
          Dispute
        </Button>
      )}
      {sale.offerId === null ? null : (
        <Button icon={<IconTag {...icon} />} onClick={to('/offers/', sale.offerId)}>
          Offer
        </Button>
      )}
      {sale.productId === null ? null : (
        <Button icon={<IconBooks {...icon} />} onClick={to('/catalogue/', sale.productId)}>
          Product
        </Button>
      )}
      <Button icon={<IconTimeline {...icon} />} onClick={to('/key-history?sale=', sale.saleId)}>
        Key history
      </Button>
    </div>
  )
}

function Id({ id, what }: { id: string; what: string }): ReactNode {
  return (
    <span className={styles.copied}>
      {id}
      <CopyButton small label={`Copy ${what}`} onCopy={() => navigator.clipboard.writeText(id)} />
    </span>
  )
}

function eventsOf(sale: SaleRow): TimelineEvent[] {
  const at = (moment: number | null): ReactNode =>
    moment === null ? undefined : <time title={formatUtc(moment)}>{formatFullMoment(moment)}</time>
  const end: TimelineEvent =
    sale.status === 'cancelled'
      ? {
          id: 'end',
          kind: 'claim',
          title: 'Canceled',
          detail: 'The customer was refunded; you receive nothing.',
        }
      : sale.status === 'released'
        ? {
            id: 'end',
            kind: 'done',
            title: 'Released',
            at: at(sale.releasedAt),
            detail: 'It’s part of your available balance.',
          }
        : {
            id: 'end',
            kind: 'next',
            title: 'Release',
            at: sale.held ? 'on hold' : at(sale.releaseAt),
            detail: sale.held ? 'Only after the dispute is resolved.' : undefined,
          }
  return [
    { id: 'sold', kind: 'done', title: 'Sold and delivered', at: at(sale.soldAt) },
    ...(sale.disputeId === null
      ? []
      : [
          {
            id: 'claimed',
            kind: 'claim' as const,
            title: sale.held ? 'Disputed, not resolved' : 'Disputed',
            detail: <span className="kd-mono">{sale.disputeId}</span>,
          },
        ]),
    end,
  ]
}
