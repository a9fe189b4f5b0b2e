import { ClockPart } from './clock-part.tsx'
import { Deliveries } from './deliveries.tsx'
import { FaultsPart } from './faults-part.tsx'
import { MarketPart } from './market-part.tsx'
import { ProofPart } from './proof-part.tsx'
import { RequestLog } from './request-log.tsx'
import styles from './sandbox.module.css'

/** Time, market and faults on the left; the resulting webhooks and requests on the right. */
export function ControlView() {
  return (
    <div className={styles.control}>
      <div>
        <ClockPart />
        <MarketPart />
        <FaultsPart />
        <ProofPart />
      </div>
      <div>
        <Deliveries />
        <RequestLog />
      </div>
    </div>
  )
}
