import { useQuery } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import type { DisputeDetail } from '../../../contract/dispute-records.ts'
import { api } from '../../lib/rpc.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatCount, formatEur, formatMoment } from '../../ui/format.ts'
import { PanelSection } from '../../ui/page.tsx'
import styles from './disputes.module.css'
import { KeySection } from './key-section.tsx'

const plural = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`

/** The sale, the key's way, the batch alarm and earlier claims, beside the conversation. */
export function ContextPanel({ detail, onPauseOffer, onClose }: { detail: DisputeDetail; onPauseOffer: () => void; onClose: (() => void) | null }) {
  const { sale, offer, origin, earlier } = detail
  const now = Date.now()
  const alarm = useQuery(api.disputes.alarms.queryOptions({ input: { accountId: detail.accountId } })).data?.find(({ batchId }) => batchId === origin?.batchId)
  const settings = useQuery(api.app.settings.queryOptions()).data
  const unknown = <span className={styles.quiet}>unknown</span>
  return (
    <aside className={styles.context} aria-label="About this sale">
      <PanelSection title="Sale" aside={<span className={styles.saleId}>{detail.saleId === null ? unknown : sale === null ? <span className="kd-mono">{detail.saleId}</span> : <a className="kd-mono" href={`#/sales/${encodeURIComponent(detail.saleId)}`}>{detail.saleId}</a>}{onClose === null ? null : <IconButton small label="Close what stands beside it" onClick={onClose}><IconX size={16} stroke={1.6} /></IconButton>}</span>}>
        <Facts>
          <Fact label="Customer paid">{sale?.customerCents == null ? unknown : formatEur(sale.customerCents)}</Fact>
          <Fact label="You receive">{sale?.priceCents == null ? unknown : formatEur(sale.priceCents)}</Fact>
          <Fact label={sale?.held === true ? 'Release held since' : 'Release'}>{sale === null ? unknown : sale.held ? (detail.openedAt === null ? 'held' : formatMoment(detail.openedAt, now)) : sale.status === 'pending' ? (sale.releaseAt === null ? 'pending' : formatMoment(sale.releaseAt, now)) : sale.status}</Fact>
          <Fact label="In stock now">{offer === null ? unknown : <>{plural(offer.stock, 'key')}{offer.status === 'active' ? '' : `, ${offer.status}`}</>}</Fact>
        </Facts>
        <div className={styles.links}>
          {detail.offerId === null ? null : <a className={styles.link} href={`#/offers/${encodeURIComponent(detail.offerId)}`}>Offer</a>}
          {detail.productId === null ? null : <a className={styles.link} href={`#/catalogue/${encodeURIComponent(detail.productId)}`}>Product</a>}
        </div>
      </PanelSection>
      <KeySection detail={detail} now={now} />
      {alarm === undefined ? null : (
        <div className={styles.alarm} role="alert">
          <h3>Batch alarm: {formatCount(alarm.claimed)} of {plural(alarm.keys, 'key')} claimed</h3>
          <p>{alarm.name} is at {((alarm.claimed / Math.max(1, alarm.keys)) * 100).toFixed(1)} %, {settings === undefined ? '' : `${plural(settings.alarmClaims, 'claim')} and ${settings.alarmPercent} % are the threshold.`} {alarm.stock === null ? '' : `${plural(alarm.stock, 'key')} of the offer ${alarm.stock === 1 ? 'is' : 'are'} still for sale.`} To take the batch out: pause the offer, then undo its upload. That withdraws the whole offer into the vault, because the service can’t pick single keys, and uploads the other batches again.</p>
          <div className={styles.links}>
            {alarm.offerStatus === 'active' ? <Button kind="danger" onClick={onPauseOffer}>Pause the offer</Button> : <span>The offer is paused.</span>}
            {origin === null ? null : <><a className={styles.link} href={`#/batches/${encodeURIComponent(origin.batchId)}`}>{plural(alarm.claimed, 'claim')}</a><a className={styles.link} href={`#/import/${encodeURIComponent(origin.importId)}`}>Undo its upload</a></>}
          </div>
        </div>
      )}
      <PanelSection title="Earlier claims">
        <Facts>
          <Fact label={origin === null ? 'On its batch' : `On ${origin.batchName}`}>{earlier.batch === null ? unknown : earlier.batch.claimed <= 1 ? 'none' : `${formatCount(earlier.batch.claimed - 1)} of ${plural(earlier.batch.keys, 'key')}, ${formatCount(earlier.batch.replaced)} replaced`}</Fact>
          <Fact label="On this product">{earlier.product === 0 ? 'none' : `${formatCount(earlier.product)}, of them ${formatCount(earlier.productReplaced)} replaced`}</Fact>
          <Fact label="On this order">{earlier.order === 0 ? 'none' : formatCount(earlier.order)}</Fact>
        </Facts>
      </PanelSection>
    </aside>
  )
}
