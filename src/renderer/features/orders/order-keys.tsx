import { IconCertificate, IconEye, IconEyeOff } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { KeptKey, OrderDetail } from '../../../contract/orders.ts'
import { copySecret } from '../../lib/clipboard.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatCents, formatFullMoment, formatMoment, formatUtc } from '../../ui/format.ts'
import { HidesIn, useReveal } from '../../ui/masked-key.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ClaimClock } from '../../ui/time-left.tsx'
import { toastProblem } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './orders.module.css'

/** The keys of an order that are kept here, by line: masked, revealed one at a time, copied. */
export function OrderKeys({ order }: { order: OrderDetail }) {
  const recordedAt = order.firstDownloadedAt ?? order.downloadedHereAt
  return (
    <>
      {recordedAt === null ? null : (
        <div className={styles.padded}>
          <Notice tone="info" icon={<IconCertificate size={16} stroke={1.6} />} title={`First download recorded on ${formatFullMoment(recordedAt)}.`}>
            It is the service’s proof of delivery for {order.keys.length === 1 ? 'the key' : `all ${order.keys.length} keys`}. {order.keys.length === 1 ? 'It is' : 'They are'} kept here encrypted and can be read offline.
          </Notice>
        </div>
      )}
      <div className={styles.section}><h2>Keys</h2><span className={styles.grey}>{order.deliveredUnits} of {order.units} delivered</span></div>
      <table className={styles.table}>
        <thead><tr><th scope="col">Key</th><th scope="col">Delivered</th><th scope="col">Time left to claim</th><th scope="col"><span className="kd-hidden">Reveal and copy</span></th></tr></thead>
        <tbody>
          {order.items.map((item) => (
            <Fragment key={item.line}>
              <tr className={styles.group}>
                <td colSpan={3}>{item.line}<b>{item.name}</b><span className={styles.grey}>{item.deliveryType} · {item.deliveredQty} of {item.qty}</span></td>
                <td className={styles.end}><span className={styles.grey}>{item.qty} × {formatCents(item.unitCents)}</span> <b>{formatCents(item.qty * item.unitCents)}</b></td>
              </tr>
              {order.keys.filter((key) => key.line === item.line).map((key, index) => <KeyRow key={key.keyId} orderId={order.orderId} kept={key} label={`key ${index + 1} of line ${item.line}`} />)}
              {item.status === 'failed' && item.deliveredQty < item.qty ? (
                <tr><td className={styles.grey}>Not delivered</td><td>–</td><td colSpan={2} className={styles.grey}>{formatCents((item.qty - item.deliveredQty) * item.unitCents)} went back to your balance</td></tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </>
  )
}

function KeyRow({ orderId, kept, label }: { orderId: string; kept: KeptKey; label: string }) {
  const { id: accountId } = useAccount()
  const now = useNow(30_000)
  const read = async (): Promise<string> => {
    try {
      if (!await openVault()) throw new Error('The vault stays locked')
      return (await rpc.orders.revealKey({ accountId, orderId, keyId: kept.keyId })).value
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'NO_ANSWER') toastProblem(problem)
      throw error
    }
  }
  const { value, busy, reveal, hide } = useReveal(read)
  const isPicture = kept.contentType.startsWith('image/')
  return (
    <tr>
      <td>
        {isPicture && value !== null
          ? <><span className={styles.key}>{kept.masked}</span><img className={styles.picture} src={`data:${kept.contentType};base64,${value}`} alt={label} /></>
          : <span className={cx(styles.key, value === null ? styles.masked : styles.revealed)}>{value ?? kept.masked}</span>}
      </td>
      <td><time title={formatUtc(kept.deliveredAt)}>{formatMoment(kept.deliveredAt, now)}</time></td>
      <td><ClaimClock leftMs={kept.claimUntil - now} /></td>
      <td>
        <div className={styles.tools}>
          {value === null ? null : <HidesIn />}
          <IconButton small label={value === null ? `Reveal ${label}` : `Hide ${label}`} disabled={busy} onClick={value === null ? reveal : hide}>
            {value === null ? <IconEye size={16} stroke={1.6} /> : <IconEyeOff size={16} stroke={1.6} />}
          </IconButton>
          {isPicture ? null : <CopyButton label={`Copy ${label}`} onCopy={async () => copySecret('Key copied', await read())} />}
        </div>
      </td>
    </tr>
  )
}
