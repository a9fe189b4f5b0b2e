import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, type rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import {
  formatCents,
  formatCount,
  formatDuration,
  formatEur,
  formatMoment,
} from '../../../ui/format.ts'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { movesOfRecords } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { estimatedNote } from '../../../ui/charts/estimated-note.ts'
import { PriceChart } from '../../../ui/charts/price-chart.tsx'
import { OfferRule } from '../rules/offer-rule.tsx'
import shared from '../price-watch.module.css'
import styles from './market.module.css'
import { proposalKey, proposalTexts } from './proposal-texts.ts'
import { holdMs, type Proposals } from './use-proposals.ts'
import { DecisionDetails } from '../decisions/decision-details.tsx'
import { reasonTexts } from '../price-watch-texts.ts'
import { DAY_MS, HOUR_MS } from '../../../../../server/api/time.ts'

type WatchedOffer = Awaited<ReturnType<typeof rpc.priceWatch.offer>>

const spans = {
  '1': { label: '24 h', words: '24 hours' },
  '7': { label: '7 d', words: '7 days' },
  '30': { label: '30 d', words: '30 days' },
} as const
type Span = keyof typeof spans

const changesNote = (count: number, span: Span): string =>
  count === 0
    ? `No rule has changed it in the last ${spans[span].words}.`
    : t('screens.price-watch-changed', { count })

/** How often rules changed the price, and which prices of the chart are estimated. */
function chartNote(
  { points, changes }: WatchedOffer['history'],
  { begin, span }: { begin: number; span: Span },
): string {
  const estimated = estimatedNote(points, begin)
  const changed = changesNote(changes.filter(({ at }) => at > begin).length, span)
  return estimated === null ? changed : `${changed} ${estimated}`
}

/**
 * One offer of the market: the decision and its reasons, price history, and earlier changes by
 * rules.
 */
export function WatchPanel({
  offerId,
  proposals,
  hasChecked,
  onClose,
}: {
  offerId: string
  proposals: Proposals
  /** Whether shortcuts act on checked rows instead of this offer. */
  hasChecked: boolean
  onClose: () => void
}) {
  const { id: accountId } = useAccount()
  const query = useQuery(api.priceWatch.offer.queryOptions({ input: { accountId, offerId } }))
  const offer = query.data
  if (offer === undefined)
    return (
      <SidePanel title="Offer" onClose={onClose}>
        {query.isError ? (
          <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null}
      </SidePanel>
    )
  return (
    <SidePanel
      title={offer.name}
      onClose={onClose}
      width={364}
      detail={[variantLabel(offer), `${formatCount(offer.stock)} in stock`]
        .filter(Boolean)
        .join(' · ')}
    >
      <ProposalActions offer={offer} proposals={proposals} hasChecked={hasChecked} />
      <PriceSection offer={offer} />
      {offer.decision === null ? null : (
        <DecisionDetails decision={offer.decision} rule={offer.rule} />
      )}
      <OfferRule
        offerId={offerId}
        ruleId={offer.ruleId}
        floorCents={offer.decision?.inputs.floorCents ?? null}
      />
      <Earnings offer={offer} />
      <RuleChanges offerId={offerId} changes={offer.history.changes} />
    </SidePanel>
  )
}

/** The prices of the chosen time, with the changes that rules made. */
function PriceSection({ offer: { name, history, proposal } }: { offer: WatchedOffer }) {
  const [span, setSpan] = useState<Span>('1')
  const now = Date.now()
  const begin = now - Number(span) * DAY_MS
  const from = Math.max(begin, Math.min(history.points[0]?.at ?? now, now - HOUR_MS))
  return (
    <PanelSection
      title={`Last ${spans[span].words}`}
      aside={
        <CountTabs
          label="Chart range"
          value={span}
          onChange={setSpan}
          tabs={(Object.keys(spans) as Span[]).map((id) => ({ id, label: spans[id].label }))}
        />
      }
    >
      <PriceChart
        label={`Prices of ${name}`}
        from={from}
        to={now}
        height={150}
        line={{
          name: 'You',
          tone: 'own',
          points: history.points.map(({ at, customerCents }) => ({ at, cents: customerCents })),
        }}
        best={history.points.map(({ at, bestCents }) => ({ at, cents: bestCents }))}
        proposalCents={proposal?.targetCustomerCents ?? null}
        tellsLoss
        marks={history.marks.map(({ at, reason, targetCents }) => ({
          at,
          label:
            targetCents === null
              ? reasonTexts[reason]
              : `${reasonTexts[reason]}: ${formatCents(targetCents)}`,
          tone: reason === 'applied' ? 'done' : 'held',
        }))}
        note={chartNote(history, { begin, span })}
      />
    </PanelSection>
  )
}

function Earnings({ offer: { history, costCents } }: { offer: WatchedOffer }) {
  return (
    <PanelSection title="Earnings">
      <Facts>
        <Fact label="In the lead, 24 hours">
          {history.leadDay === null ? 'unknown' : `${(history.leadDay * 100).toFixed(1)} %`}
        </Fact>
        <Fact label="In the lead, 30 days">
          {history.leadMonth === null ? 'unknown' : `${(history.leadMonth * 100).toFixed(1)} %`}
        </Fact>
        <Fact label={`Earned in 30 days, ${formatCount(history.soldMonth)} sold`}>
          {formatEur(history.earnedMonthCents)}
        </Fact>
        <Fact label="Cost per unit">
          {costCents === null ? 'not entered' : formatEur(costCents)}
        </Fact>
      </Facts>
    </PanelSection>
  )
}

function RuleChanges({
  offerId,
  changes,
}: {
  offerId: string
  changes: WatchedOffer['history']['changes']
}) {
  if (changes.length === 0) return null
  return (
    <PanelSection
      title="Changes by rules"
      aside={
        <Link href={`/watch/decisions/${offerId}`} className={shared.link}>
          All decisions
        </Link>
      }
    >
      <Facts>
        {changes
          .toReversed()
          .slice(0, 6)
          .map((change) => (
            <Fact
              key={change.at}
              label={`${formatMoment(change.at, Date.now())}, ${reasonTexts[change.reason].toLowerCase()}`}
            >
              <MoneyChange from={change.fromCents} to={change.toCents} />
            </Fact>
          ))}
      </Facts>
    </PanelSection>
  )
}

const heldReasons: readonly string[] = [
  'held',
  'held-refused',
  'snoozed',
  'changed-elsewhere',
  'rejected',
  'war',
]

/** An offer whose price doesn't change, and why. */
function UnchangedPrice({ offer, proposals }: { offer: MarketRow; proposals: Proposals }) {
  return (
    <PanelSection>
      <div className={styles.stays}>
        <span>
          You receive <b>{formatCents(offer.priceCents)}</b>
        </span>
        <span>
          Customer pays <b>{formatCents(offer.customerCents)}</b>
        </span>
      </div>
      <p className={shared.reason}>
        {reasonTexts[offer.reason]}
        {offer.until === null
          ? ''
          : `, ${formatDuration(Math.max(0, offer.until - Date.now()))} left`}
      </p>
      <div className={shared.buttons}>
        {heldReasons.includes(offer.reason) ? (
          <Button onClick={() => proposals.release([offer])}>Release</Button>
        ) : (
          <Button onClick={() => void proposals.hold([offer], null)}>Hold</Button>
        )}
      </div>
    </PanelSection>
  )
}

/** A proposal and its buttons. The proposal is frozen until a change is accepted. */
function ProposalActions({
  offer: current,
  proposals,
  hasChecked,
}: {
  offer: MarketRow
  proposals: Proposals
  hasChecked: boolean
}) {
  const proposed = current.proposal === null || current.sending ? null : [current]
  const { shown, moved, accept } = useFrozen(proposed, current.offerId, proposalKey)
  const offer = shown?.[0] ?? current
  const { unread } = proposals
  const isMoved = moved !== null
  // The shortcut also works from the table, whose row shows the current proposal. Set before the next
  // key press, not after the paint.
  useLayoutEffect(() => {
    unread.current = isMoved ? current.offerId : null
    return () => {
      unread.current = null
    }
  }, [unread, isMoved, current.offerId])
  const { proposal } = offer
  if (offer.sending)
    return (
      <PanelSection>
        <Notice tone="info" title="Sending.">
          The price is checked again, then sent.
        </Notice>
      </PanelSection>
    )
  if (proposal === null) {
    return <UnchangedPrice offer={offer} proposals={proposals} />
  }
  return (
    <PanelSection>
      <div className={styles.decision}>
        <div>
          <small>You receive</small>
          <MoneyChange from={offer.priceCents} to={proposal.targetCents} />
        </div>
        {proposal.targetCustomerCents === null ? null : (
          <div>
            <small>Customer pays</small>
            <MoneyChange from={offer.customerCents} to={proposal.targetCustomerCents} />
          </div>
        )}
      </div>
      <div className={shared.buttons}>
        <Button
          kind="primary"
          {...(!isMoved && !hasChecked && { keys: ['A'] })}
          disabled={isMoved}
          className={styles.grow}
          onClick={() => void proposals.apply([offer])}
        >
          Apply price
        </Button>
        <Button onClick={() => void proposals.hold([offer], Date.now() + holdMs)}>Hold 4 h</Button>
        <Button onClick={() => void proposals.reject([offer])}>Reject</Button>
      </div>
      {moved === null ? null : (
        <MovesNotice
          moves={movesOfRecords(proposalTexts([offer]), proposalTexts(moved))}
          onAccept={accept}
        />
      )}
    </PanelSection>
  )
}
