import { Select, Switch, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useAccount } from '../../lib/current-account.ts'
import { countries } from '../../lib/countries.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatCents } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { PanelSection } from '../../ui/page.tsx'
import { ProgressBar } from '../../ui/progress-ring.tsx'
import type { ComposedOrder, Quote } from './composed.ts'
import styles from './orders.module.css'

/** Value limits of the service by default, in cents (Decision 18). An account may have others; the API doesn't tell. */
const usualLimits = { order: 250_000, day: 1_000_000 }

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
  placing: boolean
  onPlace: () => void
}

/** Beside the lines: what it costs, what stays, limits, reference, and the one button. */
export function ComposerRail({ order, quote, reference, onReference, waits, onWaits, country, onCountry, canPlace, placing, onPlace }: ComposerRailProps) {
  const { mode } = useAccount()
  const balance = quote?.balanceCents ?? null
  const { todayCents, atMostCents } = order
  const short = balance !== null && atMostCents !== null && atMostCents > balance
  const badReference = reference !== '' && !/^[A-Za-z0-9._:-]{1,100}$/.test(reference)
  const verb = mode === 'test' ? 'Place test order' : mode === 'sandbox' ? 'Place sandbox order' : 'Place order'
  return (
    <aside className={styles.rail} aria-label="Sum and reference">
      <PanelSection>
        <Facts>
          <Fact label="At today’s prices">{todayCents === null ? 'unknown' : <Money cents={todayCents} unit />}</Fact>
          <Fact label="At most" strong>{atMostCents === null ? 'unknown' : <Money cents={atMostCents} unit strong />}</Fact>
        </Facts>
      </PanelSection>
      <PanelSection>
        <div className={styles.balance}>
          <span>{mode === 'test' ? 'Test balance' : 'Balance'}<b>{balance === null ? 'unknown' : formatCents(balance)}</b></span>
          <IconArrowRight size={16} stroke={1.6} aria-hidden />
          <span>After, at least<b className={short ? styles.low : undefined}>{balance === null || atMostCents === null ? 'unknown' : formatCents(balance - atMostCents)}</b></span>
        </div>
        {short ? <p className={styles.low} role="status">The balance may not be enough. Lower the units or top up first.</p> : null}
      </PanelSection>
      {atMostCents === null || quote === undefined ? null : (
        <PanelSection>
          <Meter label="Usual order limit" used={atMostCents} limit={usualLimits.order} />
          <Meter label="Last 24 hours, with this" used={quote.spent24hCents + atMostCents} limit={usualLimits.day} />
        </PanelSection>
      )}
      <PanelSection>
        <TextInput
          label="Your reference" size="md" value={reference} autoComplete="off" spellCheck={false} maxLength={100} classNames={{ input: 'kd-mono' }}
          error={badReference ? 'Letters, digits and . _ : - only' : undefined} onChange={(event) => onReference(event.currentTarget.value)}
        />
        <Select
          label="The customer’s country" placeholder="Not checked" size="md" mt={12} searchable clearable data={[...countries]} value={country} onChange={onCountry}
          description={country === null ? undefined : 'Checked against what the service tells. Unknown stays unknown.'}
        />
        <Switch mt={12} size="sm" checked={waits} onChange={(event) => onWaits(event.currentTarget.checked)} label="Wait up to 25 s for the keys" />
      </PanelSection>
      <div className={styles.railFoot}>
        <Button kind="primary" size="lg" wide busy={placing} disabled={!canPlace && !placing} {...(canPlace && { keys: ['Ctrl', 'Enter'] })} onClick={onPlace}>{verb}</Button>
        <p>Written down before it is sent, so it can never be placed twice.</p>
      </div>
    </aside>
  )
}

function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  return (
    <div className={styles.meter}>
      <span className={styles.meterHead}><span>{label}</span><span>{formatCents(used)} of {formatCents(limit)}</span></span>
      <ProgressBar share={used / limit} label={label} tone={used > limit ? 'warn' : 'neutral'} />
    </div>
  )
}
