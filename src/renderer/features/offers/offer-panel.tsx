import { useQuery } from '@tanstack/react-query'
import {
  IconClockHour4,
  IconFileImport,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ListedOffer, OfferRow } from '../../../contract/offers.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { customerOf, receiveOf } from '../../lib/commission.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatCents, formatCount, formatDay, formatMoment } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { MoneyChange } from '../../ui/money.tsx'
import { PanelSection, SidePanel } from '../../ui/page.tsx'
import { PriceChart } from '../../ui/price-chart.tsx'
import { since } from '../../ui/price-steps.ts'
import { PriceField } from '../../ui/price-field.tsx'
import { OfferRule } from '../price-watch/offer-rule.tsx'
import { leadOf } from './lead-of.ts'
import { OfferTerms } from './offer-terms.tsx'
import styles from './offers.module.css'
import { statusOf, useOfferChange } from './use-offer-change.ts'
import { WithdrawDialog, Withdrawals, WithdrawnKeys } from './withdrawals.tsx'

type Point = {
  at: number
  priceCents: number
  lowestCustomerCents: number | null
  isCheapest: boolean | null
  stock: number
}

/**
 * One offer: its price and the resulting lead, history, stock and recent changes. `typedCents` is
 * the price being typed in its row, which the panel follows.
 */
export function OfferPanel({
  offerId,
  typedCents = null,
  onClose,
}: {
  offerId: string
  typedCents?: number | null
  onClose: () => void
}) {
  const account = useAccount()
  const [, go] = useLocation()
  const changes = useOfferChange()
  const offer = useQuery(
    api.offers.offer.queryOptions({ input: { accountId: account.id, offerId } }),
  )
  const watched = useQuery(
    api.priceWatch.offer.queryOptions({ input: { accountId: account.id, offerId } }),
  ).data
  const settings = useQuery(api.app.settings.queryOptions()).data
  const [withdraws, setWithdraws] = useState(false)
  const [shown, setShown] = useState<Withdrawal | null>(null)
  const { data } = offer
  if (data === undefined)
    return (
      <SidePanel title="Offer" onClose={onClose}>
        {offer.isError ? (
          <ErrorState problem={problemOf(offer.error)} onRetry={() => void offer.refetch()} />
        ) : null}
      </SidePanel>
    )
  const isPaused = statusOf(data) === 'paused'
  return (
    <>
      <SidePanel
        title={data.name}
        onClose={onClose}
        detail={
          <>
            {[data.platform, data.region, data.deliveryType].join(' · ')}{' '}
            <span className={`kd-mono ${styles.id}`}>{data.offerId}</span>
          </>
        }
      >
        <Waiting offer={data} />
        <PriceDecision
          key={data.priceCents}
          offer={data}
          typedCents={typedCents}
          onSave={(cents) => changes.setPrice(data, cents)}
        />
        <History offer={data} points={data.history} />
        <PanelSection
          title="Stock"
          aside={
            data.sold === null ? undefined : (
              <LinkButton onClick={() => go(`/sales?offer=${encodeURIComponent(offerId)}`)}>
                {formatCount(data.sold)} sold
              </LinkButton>
            )
          }
        >
          <div className={styles.stock}>
            <span>
              <b>{formatCount(data.stock)}</b> {data.stock === 1 ? 'key' : 'keys'}
            </span>
            {lasts(data)}
            <Button
              icon={<IconFileImport size={16} stroke={1.6} />}
              onClick={() => go(`/import?offer=${encodeURIComponent(offerId)}`)}
            >
              Import keys
            </Button>
            <Button disabled={data.stock === 0} onClick={() => setWithdraws(true)}>
              Withdraw…
            </Button>
            <Button
              keys={['U']}
              icon={
                isPaused ? (
                  <IconPlayerPlay size={16} stroke={1.6} />
                ) : (
                  <IconPlayerPause size={16} stroke={1.6} />
                )
              }
              onClick={() => changes.setStatus(data, isPaused ? 'active' : 'paused')}
            >
              {isPaused ? 'Activate' : 'Pause'}
            </Button>
          </div>
        </PanelSection>
        <OfferRule
          offerId={offerId}
          ruleId={watched?.ruleId ?? null}
          floorCents={data.floorCents}
        />
        <OfferTerms key={`terms ${offerId}`} offer={data} lowStock={settings?.lowStock ?? 0} />
        <Withdrawals offerId={offerId} onOpen={setShown} />
        <LastChanges points={data.history} />
      </SidePanel>
      {withdraws ? (
        <WithdrawDialog offer={data} onClose={() => setWithdraws(false)} onKept={setShown} />
      ) : null}
      {shown === null ? null : <WithdrawnKeys withdrawal={shown} onClose={() => setShown(null)} />}
    </>
  )
}

/** How long the stock lasts at the pace of the last seven days; nothing if no sales are known. */
function lasts({ stock, soldDays }: ListedOffer) {
  const week = soldDays?.reduce((sum, units) => sum + units, 0) ?? 0
  if (week === 0 || stock === 0) return null
  const days = Math.round((stock * 7) / week)
  return (
    <small className={styles.lasts}>
      {days < 1
        ? 'lasts less than a day'
        : `lasts about ${formatCount(days)} ${days === 1 ? 'day' : 'days'}`}
    </small>
  )
}

/** The offer's queued changes. */
function Waiting({ offer: { pending } }: { offer: OfferRow }) {
  if (pending?.state !== 'waits') return null
  const what = [
    pending.priceCents === null ? null : `price ${formatCents(pending.priceCents)}`,
    pending.status === null ? null : pending.status === 'paused' ? 'pause' : 'activation',
  ]
    .filter((part) => part !== null)
    .join(' and ')
  return (
    <PanelSection>
      <Notice
        tone="warn"
        icon={<IconClockHour4 size={15} stroke={1.6} color="var(--kd-warn)" />}
        title={`${what.replace(/^./, (letter) => letter.toUpperCase())} queued.`}
      >
        Review your{' '}
        <Link href="/outbox" className={styles.link}>
          queued changes
        </Link>{' '}
        to send it.
      </Notice>
    </PanelSection>
  )
}

function PriceDecision({
  offer,
  typedCents,
  onSave,
}: {
  offer: ListedOffer
  typedCents: number | null
  onSave: (cents: number) => void
}) {
  const [cents, setCents] = useState<number | null>(offer.priceCents)
  const shown = typedCents ?? cents
  useEffect(() => setCents(offer.priceCents), [offer.priceCents])
  const percent = offer.commission?.percent ?? null
  const changed = cents !== null && cents !== offer.priceCents
  const ready = changed && cents >= 1
  const reset = (): void => setCents(offer.priceCents)
  const lowest = offer.lowestCustomerCents
  const floor = offer.floorCents
  const suggestions = [
    ...(percent === null || lowest === null || offer.isCheapest !== false
      ? []
      : [
          { label: `Match ${formatCents(lowest)}`, cents: receiveOf(lowest, percent) },
          { label: 'Undercut by 0.01', cents: receiveOf(lowest - 1, percent) },
        ]),
    ...(floor === null || percent === null
      ? []
      : [{ label: `At floor ${formatCents(customerOf(floor, percent))}`, cents: floor }]),
  ]
  return (
    <PanelSection>
      <PriceField
        cents={shown}
        onChange={setCents}
        commissionPercent={percent}
        customerOf={customerOf}
        receiveOf={receiveOf}
        wrong={shown === 0 ? 'Enter a price above 0' : null}
        onEnter={() => {
          if (ready) onSave(cents)
        }}
        onEscape={reset}
      />
      {suggestions.length === 0 ? null : (
        <div className={styles.suggestions}>
          {suggestions.map((each) => (
            <button key={each.label} type="button" onClick={() => setCents(each.cents)}>
              {each.label}
            </button>
          ))}
        </div>
      )}
      <dl className={styles.figures}>
        <div>
          <dt>Commission{percent === null ? '' : ` ${percent} %`}</dt>
          <dd>
            {shown === null || percent === null
              ? '–'
              : formatCents(customerOf(shown, percent) - shown)}
          </dd>
        </div>
        <div>
          <dt>Profit per key</dt>
          <dd>
            {shown === null || offer.costCents === null
              ? '–'
              : formatCents(shown - offer.costCents)}
          </dd>
        </div>
        <div>
          <dt>Change</dt>
          <dd>{shown === null ? '–' : formatCents(shown - offer.priceCents, { sign: true })}</dd>
        </div>
      </dl>
      <div className={styles.notices}>
        {shown !== null && floor !== null && shown < floor && shown >= 1 ? (
          <Notice tone="warn" title={`Below the floor of ${formatCents(floor)}.`}>
            The rule for this offer will propose to raise the price again.
          </Notice>
        ) : null}
        <Standing offer={offer} cents={shown} />
      </div>
      {changed ? (
        <div className={styles.save}>
          <Button
            kind="primary"
            wide
            keys={['Enter']}
            disabled={!ready}
            onClick={() => {
              if (ready) onSave(cents)
            }}
          >
            Save price
          </Button>
          <Button keys={['Esc']} onClick={reset}>
            Discard
          </Button>
        </div>
      ) : null}
    </PanelSection>
  )
}

function Standing({ offer, cents }: { offer: OfferRow; cents: number | null }) {
  const lead = leadOf(offer)
  const { lowestCustomerCents: lowest, commission } = offer
  if (
    cents !== null &&
    cents !== offer.priceCents &&
    commission !== null &&
    lowest !== null &&
    offer.isCheapest === false &&
    offer.stock > 0 &&
    offer.status === 'active'
  ) {
    const customer = customerOf(cents, commission.percent)
    const now =
      lead.kind === 'behind' && lead.distanceCents !== null
        ? `You are now ${formatCents(lead.distanceCents)} behind.`
        : ''
    if (customer < lowest)
      return (
        <Notice tone="ok" title={`Takes the lead by ${formatCents(lowest - customer)}.`}>
          {now}
        </Notice>
      )
    if (customer === lowest)
      return (
        <Notice tone="info" title="Same as the best price.">
          The older price sells first. {now}
        </Notice>
      )
    return (
      <Notice tone="warn" title={`Still ${formatCents(customer - lowest)} behind.`}>
        {now}
      </Notice>
    )
  }
  if (lead.kind === 'leading')
    return (
      <Notice tone="ok" title="Leading.">
        This offer sells first.
      </Notice>
    )
  if (lead.kind === 'behind')
    return (
      <Notice
        tone="warn"
        title={
          lead.distanceCents === null ? 'Behind.' : `${formatCents(lead.distanceCents)} behind.`
        }
      >
        {lowest === null ? '' : `The best customer price is ${formatCents(lowest)}.`}
      </Notice>
    )
  if (offer.status === 'paused')
    return (
      <Notice tone="info" title="Paused.">
        Customers don’t see it. Its keys stay in stock.
      </Notice>
    )
  if (offer.stock === 0)
    return (
      <Notice tone="bad" title="No keys.">
        It can’t sell until you add keys.
      </Notice>
    )
  return null
}

const DAY_MS = 86_400_000
const ranges = [
  { id: '7', label: '7 d' },
  { id: '30', label: '30 d' },
  { id: '90', label: '90 d' },
] as const

function History({
  offer: { name, commission, floorCents },
  points,
}: {
  offer: ListedOffer
  points: readonly Point[]
}) {
  const [days, setDays] = useState<(typeof ranges)[number]['id']>('30')
  const now = Date.now()
  const [first] = points
  if (first === undefined) return null
  if (points.length < 2)
    return (
      <PanelSection title="Price history" aside={`recorded since ${formatMoment(first.at, now)}`} />
    )
  const from = Math.max(first.at, now - Number(days) * DAY_MS)
  const customer = (cents: number): number =>
    commission === null ? cents : customerOf(cents, commission.percent)
  return (
    <PanelSection
      title="Price history"
      aside={
        <CountTabs label="Price history in days" value={days} onChange={setDays} tabs={ranges} />
      }
    >
      <PriceChart
        label={`Price history of ${name}`}
        from={from}
        to={now}
        floorCents={floorCents === null ? null : customer(floorCents)}
        line={{
          name: 'You',
          tone: 'own',
          points: since(
            points.map((point) => ({ at: point.at, cents: customer(point.priceCents) })),
            from,
          ),
        }}
        best={since(
          points.map((point) => ({
            at: point.at,
            cents: point.isCheapest === false ? point.lowestCustomerCents : null,
          })),
          from,
        )}
        note={`Customer prices, recorded since ${formatDay(first.at)}.`}
      />
    </PanelSection>
  )
}

function LastChanges({ points }: { points: readonly Point[] }) {
  const changes = points
    .flatMap((point, index) => {
      const before = points[index - 1]
      return before === undefined || before.priceCents === point.priceCents
        ? []
        : [{ at: point.at, from: before.priceCents, to: point.priceCents }]
    })
    .slice(-5)
    .toReversed()
  if (changes.length === 0) return null
  return (
    <PanelSection title="Recent changes">
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change.at}>
            <time>{formatMoment(change.at, Date.now())}</time>
            <MoneyChange from={change.from} to={change.to} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
