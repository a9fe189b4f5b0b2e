import { ClockCard } from './clock-part.tsx'
import { DeliveriesCard } from './deliveries.tsx'
import { FaultsCard } from './faults-part.tsx'
import { MarketCard } from './market-part.tsx'
import { LedgerProof } from './proof-part.tsx'
import { RequestLog } from './request-log.tsx'
import styles from './sandbox.module.css'

/** Time, market and faults on the left; the resulting webhooks and requests on the right. */
export function ControlView() {
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
        <RequestLog />
      </div>
    </div>
  )
}
