import { useQuery } from '@tanstack/react-query'
import type { DisputeDetail } from '../../../contract/dispute-records.ts'
import { api } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import styles from './disputes.module.css'
import { plural } from './words.ts'

/** The alarm of the batch that a dispute's key came from; undefined where there is none, or nobody knows the batch. */
export function useBatchAlarm(accountId: string, batchId: string | null) {
  return useQuery({ ...api.disputes.alarms.queryOptions({ input: { accountId } }), enabled: batchId !== null }).data?.find((each) => each.batchId === batchId)
}

/** "Batch alarm: 4 of 8 keys claimed". */
export const alarmTitle = ({ claimed, keys }: { claimed: number; keys: number }): string => `Batch alarm: ${formatCount(claimed)} of ${plural(keys, 'key')} claimed`

/** Where claims on the key's batch pass the threshold: what to do about it. */
export function BatchAlarm({ detail: { accountId, origin }, onPauseOffer }: { detail: DisputeDetail; onPauseOffer: () => void }) {
  const alarm = useBatchAlarm(accountId, origin?.batchId ?? null)
  const settings = useQuery(api.app.settings.queryOptions()).data
  if (alarm === undefined || origin === null) return null
  return (
    <div className={styles.alarm} role="alert">
      <h3>{alarmTitle(alarm)}</h3>
      <p>{alarm.name} is at {((alarm.claimed / Math.max(1, alarm.keys)) * 100).toFixed(1)} %{settings === undefined ? '' : `; from ${plural(settings.alarmClaims, 'claim')} and ${settings.alarmPercent} % on it is told`}. {alarm.stock === null ? '' : `${plural(alarm.stock, 'key')} of the offer ${alarm.stock === 1 ? 'is' : 'are'} still for sale.`} To take the batch out: pause the offer, then undo its upload. That withdraws the whole offer into the vault, because the service can’t pick single keys, and uploads the other batches again.</p>
      <div className={styles.links}>
        {alarm.offerStatus === 'active' ? <Button kind="danger" onClick={onPauseOffer}>Pause the offer</Button> : <span>The offer is paused.</span>}
        <a className={styles.link} href={`#/batches/${encodeURIComponent(origin.batchId)}`}>{plural(alarm.claimed, 'claim')}</a>
        <a className={styles.link} href={`#/import/${encodeURIComponent(origin.importId)}`}>Undo its upload</a>
      </div>
    </div>
  )
}
