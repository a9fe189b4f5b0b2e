import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useState } from 'react'
import { type Cents, timesCents } from '../../../../../server/api/money.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCents, formatDay, formatStock, parseCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { NumberStepper } from '../../../ui/controls/fields/number-stepper.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { ProductLines } from '../product-lines.tsx'
import { useBasket } from './basket.ts'
import { withQty } from './compose-order.ts'
import type { ComposedLine, ComposedOrder, PriceMove } from './compose-order.ts'
import { keepAndWait } from './next-step.ts'
import type { PriceWait } from './use-price-wait.ts'
import type { WrongMaximums } from './use-wrong-maximums.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import styles from '../orders.module.css'

/**
 * The lines of the order being composed.
 *
 * @param rejectedLineId The id of the line for which the service rejected the order.
 */
export function ComposerLines({
  order,
  rejectedLineId,
  wait,
  onWrong,
}: {
  order: ComposedOrder
  rejectedLineId: number | null
  wait: PriceWait
  onWrong: WrongMaximums['mark']
}) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col" className={styles.end}>
            Available
          </th>
          <th scope="col" className={styles.end}>
            Price now
          </th>
          <th scope="col" className={styles.end}>
            Units
          </th>
          <th scope="col" className={styles.end}>
            Max. price each
          </th>
          <th scope="col" className={styles.end}>
            Max. total
          </th>
          <th scope="col">
            <span className="kd-hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody className={styles.tall}>
        {order.lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            refused={line.id === rejectedLineId}
            wait={wait}
            onWrong={onWrong}
          />
        ))}
      </tbody>
    </table>
  )
}

function Line({
  line,
  refused,
  wait,
  onWrong,
}: {
  line: ComposedLine
  refused: boolean
  wait: PriceWait
  onWrong: WrongMaximums['mark']
}) {
  const { id } = useAccount()
  const { change, remove } = useBasket()
  const { product, maxCents } = line
  const name = product?.name ?? line.productId
  const isShort = product !== null && product.qty !== null && product.qty < 5
  return (
    <tr data-refused={refused || undefined}>
      <td>
        <ProductLines name={name} detail={product === null ? '' : variantLabel(product)} />
        <Preorder product={product} />
        {line.warning === null ? null : (
          <div className={styles.warning}>
            <StatusTag tone="warn">{line.warning}</StatusTag>
          </div>
        )}
        {line.move === null || refused ? null : (
          <Move
            move={line.move}
            name={name}
            waits={wait.has(line.id)}
            onWait={() => wait.begin(line.id)}
            onAccept={({ maxCents: most, toCents }) =>
              change(id, line.id, { maxCents: most, seenCents: toCents })
            }
          />
        )}
      </td>
      <td className={styles.end}>
        <span className={isShort ? styles.low : styles.grey}>
          {product === null ? '' : formatStock(product.qty)}
        </span>
      </td>
      <td className={styles.end}>
        {line.unitCents === null ? '–' : <Money cents={line.unitCents} />}
      </td>
      <td className={styles.end}>
        <NumberStepper
          value={line.qty}
          label={`Units of ${name}`}
          onChange={(qty) => change(id, line.id, withQty(line, qty))}
        />
      </td>
      <td className={styles.end}>
        <MostField
          key={`${line.productId}-${product === null}-${line.qty}`}
          cents={maxCents}
          label={`Maximum price for each ${name}, EUR`}
          onChange={(cents) =>
            change(id, line.id, {
              maxCents: cents,
              seenCents: line.unitCents,
            })
          }
          lineId={line.id}
          onWrong={onWrong}
        />
      </td>
      <td className={styles.end}>
        {maxCents === null ? '–' : <Money cents={timesCents(maxCents, line.qty)} strong />}
      </td>
      <td className={styles.end}>
        <IconButton small label={`Remove ${name}`} onClick={() => remove(id, line.id)}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </td>
    </tr>
  )
}

/** Says before the order when a product that isn't released yet is delivered. */
function Preorder({ product }: { product: ComposedLine['product'] }) {
  const now = useAccountNow()
  const releaseAt = Date.parse(product?.releaseDate ?? '')
  if (Number.isNaN(releaseAt) || releaseAt <= now) return null
  return (
    <div className={styles.warning}>
      <StatusTag tone="info">
        Pre-order: delivered on {formatDay(releaseAt)}, or credited back 24 hours later
      </StatusTag>
    </div>
  )
}

/** A price that moved above the maximum: the order can be placed once a person has decided. */
function Move({
  move,
  name,
  waits,
  onWait,
  onAccept,
}: {
  move: PriceMove
  name: string
  /** Whether the maximum stays until the price is back below it. */
  waits: boolean
  onWait: () => void
  onAccept: (move: PriceMove) => void
}) {
  const { fromCents, toCents, maxCents, forQty } = move
  return (
    <div className={styles.warning} role="status">
      <StatusTag tone="warn">
        {forQty === null ? 'Price moved' : `Price each for ${forQty} units`}:{' '}
        {formatCents(fromCents)} → {formatCents(toCents)} ({percentChange(fromCents, toCents)})
      </StatusTag>{' '}
      {waits ? (
        <span className={styles.grey}>
          Keeping your maximum. The price is checked every 20 s while this page is open.
        </span>
      ) : forQty === null ? (
        <Button size="xs" aria-label={`${keepAndWait}: ${name}`} onClick={onWait}>
          {keepAndWait}
        </Button>
      ) : null}
      <Button
        size="xs"
        aria-label={`Set maximum to ${formatCents(maxCents)}: ${name}`}
        onClick={() => onAccept(move)}
      >
        Set maximum to {formatCents(maxCents)}
      </Button>
    </div>
  )
}

function MostField({
  cents,
  label,
  onChange,
  lineId,
  onWrong,
}: {
  cents: Cents | null
  label: string
  onChange: (cents: Cents) => void
  lineId: number
  onWrong: WrongMaximums['mark']
}) {
  const [text, setText] = useState<string | null>(null)
  const read = text === null ? null : parseCents(text)
  const wrong = read !== null && 'wrong' in read ? read.wrong : null
  const isWrong = wrong !== null
  // Before the next key press: Ctrl+Enter would place the order with the former maximum.
  useLayoutEffect(() => {
    if (!isWrong) return
    onWrong(lineId, true)
    return () => onWrong(lineId, false)
  }, [isWrong, lineId, onWrong])
  return (
    <input
      type="text"
      className={styles.price}
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={wrong !== null}
      title={wrong ?? undefined}
      value={text ?? (cents === null ? '' : formatCents(cents))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        setText(event.currentTarget.value)
        const next = parseCents(event.currentTarget.value)
        if ('cents' in next) onChange(next.cents)
      }}
      onBlur={() => {
        if (wrong === null) setText(null)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          setText(null)
        }
      }}
    />
  )
}
