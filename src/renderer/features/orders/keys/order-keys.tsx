import { t } from '../../../../contract/localization/localized.ts'
import {
  IconCertificate,
  IconCopy,
  IconDownload,
  IconFlag,
  IconMessage,
  IconUserCheck,
} from '@tabler/icons-react'
import { useState } from 'react'
import { timesCents } from '../../../../../server/api/money.ts'
import type { OrderDetail, StoredKey } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCents, formatFullMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PlainExportDialog } from '../../../ui/feedback/plain-export-dialog.tsx'
import { useRowMoves } from '../../../ui/hooks/row-moves.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { downloadState } from './download-state.ts'
import { HandOverDialog, useHandedOver, useHandedWarning } from './handed-over.tsx'
import { KeyTools, useOrderClaims } from './key-row.tsx'
import { copiedKeysToMark } from './keys-to-mark.ts'
import styles from '../orders.module.css'
import { useKeyTexts } from './use-key-texts.ts'
import { productLine, variantLabel } from '../../../lib/labels/product-labels.ts'

const icon = { size: 16, stroke: 1.6 } as const

/** "2 keys of KD-1: Hollow Tide 2 · Steam · Global". */
function keysText({ externalId, items }: OrderDetail, keys: readonly StoredKey[]): string {
  const lines = new Set(keys.map(({ line }) => line))
  const products = items.filter(({ line }) => lines.has(line)).map(productLine)
  const text = t('screens.orders-keys-of-order', { count: keys.length, order: externalId })
  return `${text}: ${[...new Set(products)].join('; ')}`
}

/** An order's stored keys, by line: masked, revealed one at a time, copied, exported, claimed. */
export function OrderKeys({ order }: { order: OrderDetail }) {
  const account = useAccount()
  const texts = useKeyTexts(order)
  const fresh = order.keys.filter((key) => key.replacement && key.seenAt === null).length
  const { guard, warning } = useHandedWarning()
  const [handing, setHanding] = useState(false)
  const unhanded = order.keys.filter(({ handedAt }) => handedAt === null)
  const handed = order.keys.length - unhanded.length
  const toMark = unhanded.map(({ keyId }) => ({ orderId: order.orderId, keyId }))
  const handedOver = useHandedOver()
  const copied = copiedKeysToMark(order.orderId, order.keys)
  const offer =
    copied.length === 0
      ? undefined
      : { label: 'Mark as handed over', run: () => handedOver.mark({ keys: copied, note: '' }) }
  const copyAll = (): void => guard(order.keys, 'Copy', () => texts.copyAll(offer))
  useShortcut('Y', copyAll)
  const [exports, setExports] = useState(false)
  const askExport = (): void => void openVault().then(setExports)
  useShortcut('E', askExport)
  return (
    <>
      {exports ? (
        <PlainExportDialog
          account={account}
          what={keysText(order, order.keys)}
          warnings={handed === 0 ? [] : [t('screens.orders-export-handed', { count: handed })]}
          onExport={texts.exportAll}
          onClose={() => setExports(false)}
        />
      ) : null}
      {warning}
      {handing ? (
        <HandOverDialog
          keys={toMark}
          what={keysText(order, unhanded)}
          onClose={() => setHanding(false)}
        />
      ) : null}
      <FirstDownload order={order} />
      <div className={styles.section}>
        <h2>Keys</h2>
        <span className={styles.grey}>
          {order.deliveredUnits} of {order.units} delivered
          {fresh === 0 ? '' : `, ${t('screens.orders-from-claims', { count: fresh })}`}
        </span>
        <KeyActions
          onCopy={copyAll}
          onCopyMessage={() => guard(order.keys, 'Copy', () => texts.copyMessage(offer))}
          onHandOver={unhanded.length === 0 ? null : () => setHanding(true)}
          onExport={askExport}
        />
      </div>
      <KeysTable
        order={order}
        onMessage={(key) => guard([key], 'Copy', () => texts.messageOf([key.keyId], null))}
      />
      <p className={styles.help}>
        <IconFlag size={14} stroke={1.6} aria-hidden /> If a key doesn’t work, you can claim it
        within 7 days of its delivery, with a screenshot of the activation error.
      </p>
    </>
  )
}

/** The actions on all keys of an order. */
function KeyActions({
  onCopy,
  onCopyMessage,
  onHandOver,
  onExport,
}: {
  onCopy: () => void
  onCopyMessage: () => void
  /** Null if every key was handed over. */
  onHandOver: (() => void) | null
  onExport: () => void
}) {
  return (
    <div className={styles.tools}>
      <Button kind="quiet" keys={['Y']} icon={<IconCopy {...icon} />} onClick={onCopy}>
        Copy all
      </Button>
      <Button kind="quiet" icon={<IconMessage {...icon} />} onClick={onCopyMessage}>
        Copy with instructions
      </Button>
      {onHandOver === null ? null : (
        <Button icon={<IconUserCheck {...icon} />} onClick={onHandOver}>
          Mark as handed over…
        </Button>
      )}
      <Button keys={['E']} icon={<IconDownload {...icon} />} onClick={onExport}>
        Export…
      </Button>
    </div>
  )
}

/** When the first download was recorded, by the service or on this computer. */
function FirstDownload({ order }: { order: OrderDetail }) {
  const { recordedAt } = downloadState(order)
  if (recordedAt === null) return null
  return (
    <div className={styles.padded}>
      <Notice
        tone="info"
        icon={<IconCertificate {...icon} />}
        title={`First download recorded on ${formatFullMoment(recordedAt)}.`}
      >
        {t('screens.orders-proof', { count: order.keys.length })}{' '}
        {t('screens.orders-saved', { count: order.keys.length })}
      </Notice>
    </div>
  )
}

function KeysTable({
  order,
  onMessage,
}: {
  order: OrderDetail
  onMessage: (key: StoredKey) => void
}) {
  const claims = useOrderClaims()
  const table = useRowMoves<HTMLTableElement>()
  return (
    <table ref={table} className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Delivered</th>
          <th scope="col">Time left to claim</th>
          <th scope="col">
            <span className="kd-hidden">Reveal, copy, claim</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => (
          <LineKeys
            key={item.line}
            order={order}
            item={item}
            claims={claims}
            onMessage={onMessage}
          />
        ))}
      </tbody>
    </table>
  )
}

/** The stored keys of one order line, how to redeem them, and undelivered units. */
function LineKeys({
  order,
  item,
  claims,
  onMessage,
}: {
  order: OrderDetail
  item: OrderDetail['items'][number]
  claims: ReturnType<typeof useOrderClaims>
  onMessage: (key: StoredKey) => void
}) {
  return (
    <>
      <tr className={styles.group}>
        <td colSpan={3}>
          {item.line}
          <b>{item.name}</b>
          <span className={styles.grey}>
            {[variantLabel(item), `${item.deliveredQty} of ${item.qty}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </td>
        <td className={styles.end}>
          <span className={styles.grey}>
            {item.qty} × {formatCents(item.unitCents)}
          </span>{' '}
          <b>{formatCents(timesCents(item.unitCents, item.qty))}</b>
        </td>
      </tr>
      {order.keys
        .filter((key) => key.line === item.line)
        .map((key, index) => (
          <KeyTools
            key={key.keyId}
            orderId={order.orderId}
            kept={key}
            label={`key ${index + 1} of line ${item.line}`}
            product={productLine(item)}
            claim={claims.get(key.keyId) ?? null}
            onMessage={() => onMessage(key)}
          />
        ))}
      {order.activation[item.productId] === undefined ? null : (
        <tr className={styles.redeem}>
          <td colSpan={4}>
            <b>How to redeem</b>
            <p>{order.activation[item.productId]}</p>
          </td>
        </tr>
      )}
      {item.status === 'failed' && item.deliveredQty < item.qty ? (
        <tr>
          <td className={styles.grey}>Not delivered</td>
          <td>–</td>
          <td colSpan={2} className={styles.grey}>
            {formatCents(timesCents(item.unitCents, item.qty - item.deliveredQty))} credited back to
            your balance
          </td>
        </tr>
      ) : null}
    </>
  )
}
