import { Select, Switch, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { addCents, type Cents, subtractCents } from '../../../../../server/api/money.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { countries } from '../../../lib/labels/countries.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatCents, formatEur, formatMoment } from '../../../ui/format.ts'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { shortfallOf } from './compose-order.ts'
import type { ComposedOrder, Quote, Shortfall } from './compose-order.ts'
import styles from '../orders.module.css'

export interface ComposerRailProps {
  order: ComposedOrder
  quote: Quote | undefined
  reference: string
  onReference: (reference: string) => void
  waits: boolean
  onWaits: (waits: boolean) => void
  country: string | null
  onCountry: (country: string | null) => void
  canPlace: boolean
  /** Why nothing can be ordered now, although the order may be complete. */
  blocked: string | null
  placing: boolean
  onPlace: () => void
  /** Reduces the order to the balance; null: nothing fits. */
  onFit: (() => void) | null
  onTopUp: () => void
}

/**
 * The panel next to the lines: cost, remaining balance, limits, reference, and the button that
 * places the order.
 */
export function ComposerRail({
  order,
  quote,
  reference,
  onReference,
  waits,
  onWaits,
  country,
  onCountry,
  canPlace,
  blocked,
  placing,
  onPlace,
  onFit,
  onTopUp,
}: ComposerRailProps) {
  const balance = quote?.balanceCents ?? null
  const { todayCents, atMostCents } = order
  const shortfall = shortfallOf(balance, order)
  return (
    <aside className={styles.rail} aria-label="Total and reference">
      <PanelSection>
        <Facts>
          <Fact label="At today’s prices">
            {todayCents === null ? 'unknown' : <Money cents={todayCents} unit />}
          </Fact>
          <Fact label="At most" strong>
            {atMostCents === null ? 'unknown' : <Money cents={atMostCents} unit strong />}
          </Fact>
        </Facts>
      </PanelSection>
      <PanelSection>
        <BalanceAfter balance={balance} atMostCents={atMostCents} isShort={shortfall !== null} />
        {shortfall === null ? null : (
          <Short shortfall={shortfall} onFit={onFit} onTopUp={onTopUp} />
        )}
      </PanelSection>
      {atMostCents === null || quote === undefined ? null : (
        <PanelSection>
          <Meter label="This order" used={atMostCents} limit={quote.limits.order} />
          <Meter
            label="Last 24 h, including this order"
            used={addCents(quote.spent24hCents, atMostCents)}
            limit={quote.limits.day}
          />
        </PanelSection>
      )}
      <OrderOptions
        reference={reference}
        onReference={onReference}
        waits={waits}
        onWaits={onWaits}
        country={country}
        onCountry={onCountry}
      />
      <PlaceOrder canPlace={canPlace} blocked={blocked} placing={placing} onPlace={onPlace} />
    </aside>
  )
}

/** The button that places the order. Why it can't be placed is shown below. */
function PlaceOrder({
  canPlace,
  blocked,
  placing,
  onPlace,
}: Pick<ComposerRailProps, 'canPlace' | 'blocked' | 'placing' | 'onPlace'>) {
  const { mode } = useAccount()
  const verb =
    mode === 'test'
      ? 'Place test order'
      : mode === 'sandbox'
        ? 'Place sandbox order'
        : 'Place order'
  return (
    <div className={styles.railFoot}>
      <Button
        kind="primary"
        size="lg"
        wide
        busy={placing}
        disabled={!canPlace && !placing}
        {...(canPlace && { keys: ['Ctrl', 'Enter'] })}
        onClick={onPlace}
      >
        {verb}
      </Button>
      {blocked === null ? (
        <p>Recorded before it’s sent, so it’s never placed twice.</p>
      ) : (
        <p role="status" className={styles.low}>
          {blocked} This draft is kept. Nothing is ordered until you place it.
        </p>
      )}
    </div>
  )
}

/** The balance now, and at least what remains of it after the order. */
function BalanceAfter({
  balance,
  atMostCents,
  isShort,
}: {
  balance: Cents | null
  atMostCents: Cents | null
  isShort: boolean
}) {
  const { mode } = useAccount()
  return (
    <div className={styles.balance}>
      <span>
        {mode === 'test' ? 'Test balance' : 'Balance'}
        <b>{balance === null ? 'unknown' : formatCents(balance)}</b>
      </span>
      <IconArrowRight size={16} stroke={1.6} aria-hidden />
      <span>
        After, at least
        <b className={isShort ? styles.low : undefined}>
          {balance === null || atMostCents === null
            ? 'unknown'
            : formatCents(subtractCents(balance, atMostCents))}
        </b>
      </span>
    </div>
  )
}

/** The order's reference, the customer's country, and whether to wait for the keys. */
function OrderOptions({
  reference,
  onReference,
  waits,
  onWaits,
  country,
  onCountry,
}: Pick<
  ComposerRailProps,
  'reference' | 'onReference' | 'waits' | 'onWaits' | 'country' | 'onCountry'
>) {
  const isInvalidReference = reference !== '' && !/^[A-Za-z0-9._:-]{1,100}$/.test(reference)
  return (
    <PanelSection>
      <TextInput
        label="Your reference"
        size="md"
        value={reference}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        classNames={{ input: 'kd-mono' }}
        error={isInvalidReference ? 'Letters, digits and . _ : - only' : undefined}
        onChange={(event) => onReference(event.currentTarget.value)}
      />
      <Select
        label="Customer’s country"
        placeholder="Not checked"
        size="md"
        mt={12}
        searchable
        clearable
        data={[...countries]}
        value={country}
        onChange={onCountry}
        description={
          country === null
            ? undefined
            : 'Based on the service’s data. Missing data is shown as unknown.'
        }
      />
      <Switch
        mt={12}
        size="sm"
        checked={waits}
        onChange={(event) => onWaits(event.currentTarget.checked)}
        label="Wait up to 25 s for the keys"
      />
    </PanelSection>
  )
}

/** How much the balance is too low by, and the two ways to continue. */
function Short({
  shortfall,
  onFit,
  onTopUp,
}: {
  shortfall: Shortfall
  onFit: (() => void) | null
  onTopUp: () => void
}) {
  return (
    <div role="status">
      <p className={styles.low}>
        {shortfall.at === 'current-prices'
          ? `The balance is ${formatEur(shortfall.cents)} too low for this order.`
          : `The balance covers today’s prices, but is ${formatEur(shortfall.cents)} below your maximum.`}
      </p>
      <div className={styles.choices}>
        <Button size="xs" onClick={onTopUp}>
          How to top up
        </Button>
        {onFit === null ? null : (
          <Button size="xs" onClick={onFit}>
            Reduce to the balance
          </Button>
        )}
      </div>
    </div>
  )
}

/** A limit is known only from a rejection; until then, only the used amount is shown. */
function Meter({
  label,
  used,
  limit,
}: {
  label: string
  used: Cents
  limit: Quote['limits']['order']
}) {
  return (
    <div
      className={styles.meter}
      title={
        limit === null
          ? 'The API reports a limit only when it rejects an order for it.'
          : `As the service reported ${formatMoment(limit.at, Date.now())}.`
      }
    >
      <span className={styles.meterHead}>
        <span>{label}</span>
        <span>
          {formatCents(used)}
          {limit === null ? ', limit not known' : ` of ${formatCents(limit.cents)}`}
        </span>
      </span>
      {limit === null ? null : (
        <ProgressBar
          share={used / Math.max(1, limit.cents)}
          label={label}
          tone={used > limit.cents ? 'warn' : 'neutral'}
        />
      )}
    </div>
  )
}
