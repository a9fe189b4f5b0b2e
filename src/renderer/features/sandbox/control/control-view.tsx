import { ClockCard } from './clock-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { FaultsCard } from './faults-card.tsx'
import { MarketCard } from './market-card.tsx'
import { LedgerProof } from './ledger-proof.tsx'
import { RequestLog } from '../requests/request-log.tsx'
import styles from '../sandbox.module.css'

/** Time, market and faults on the left; the resulting webhooks and requests on the right. */
export function ControlView({ onWhy }: { onWhy: (requestId: string) => void }) {
  return (
    <div className={styles.control}>
      <div>
        <ClockCard />
        <MarketCard />
        <FaultsCard />
        <LedgerProof />
      </div>
      <div>
        <DeliveriesCard />
        <RequestLog onWhy={onWhy} />
      </div>
    </div>
  )
}
