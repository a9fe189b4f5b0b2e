import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import {
  IconClockHour4,
  IconFileImport,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../../../contract/offers/offers.ts'
import type { Withdrawal } from '../../../../contract/offers/withdrawals.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button, LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { OfferRule } from '../../price-watch/rules/offer-rule.tsx'
import { PriceHistory, RecentChanges } from './offer-history.tsx'
import { OfferPrice } from './offer-price.tsx'
import { OfferTerms } from './offer-terms.tsx'
import styles from '../offers.module.css'
import { type OfferChanges, statusOf, useOfferChange } from '../price/use-offer-change.ts'
import { queuedParts } from '../price/queued-change.ts'
import { WithdrawDialog, Withdrawals, WithdrawnKeys } from './withdrawals.tsx'

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
  typedCents?: Cents | null
  onClose: () => void
}) {
  const account = useAccount()
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
  return (
    <>
      <SidePanel
        title={data.name}
        onClose={onClose}
        detail={
          <>
            {variantLabel(data)} <span className={`kd-mono ${styles.id}`}>{data.offerId}</span>
          </>
        }
      >
        <Waiting offer={data} />
        <OfferPrice
          key={data.priceCents}
          offer={data}
          typedCents={typedCents}
          onSave={(cents) => changes.setPrice(data, cents)}
        />
        <PriceHistory offer={data} points={data.history} />
        <StockSection offer={data} changes={changes} onWithdraw={() => setWithdraws(true)} />
        <OfferRule
          offerId={offerId}
          ruleId={watched?.ruleId ?? null}
          floorCents={data.floorCents}
        />
        <OfferTerms key={termsKey(data)} offer={data} lowStock={settings?.lowStock ?? 0} />
        <Withdrawals offerId={offerId} onOpen={setShown} />
        <RecentChanges points={data.history} />
      </SidePanel>
      {withdraws ? (
        <WithdrawDialog offer={data} onClose={() => setWithdraws(false)} onKept={setShown} />
      ) : null}
      {shown === null ? null : <WithdrawnKeys withdrawal={shown} onClose={() => setShown(null)} />}
    </>
  )
}

/** Changes with the stored terms, so that their fields start again from them. */
const termsKey = ({
  offerId,
  costCents,
  lowAt,
  ownFloorCents,
  ownCeilingCents,
}: OfferRow): string =>
  ['terms', offerId, costCents, lowAt, ownFloorCents, ownCeilingCents].join(' ')

/** The stock with how long it lasts, and the buttons that change it or stop the offer. */
function StockSection({
  offer,
  changes,
  onWithdraw,
}: {
  offer: ListedOffer
  changes: OfferChanges
  onWithdraw: () => void
}) {
  const [, go] = useLocation()
  const link = encodeURIComponent(offer.offerId)
  const isPaused = statusOf(offer) === 'paused'
  return (
    <PanelSection
      title="Stock"
      aside={
        offer.sold === null ? undefined : (
          <LinkButton onClick={() => go(`/sales?offer=${link}`)}>
            {formatCount(offer.sold)} sold
          </LinkButton>
        )
      }
    >
      <div className={styles.stock}>
        <span>
          <b>{formatCount(offer.stock)}</b> {t('screens.offers-keys', { count: offer.stock })}
        </span>
        {lasts(offer)}
        <Button
          icon={<IconFileImport size={16} stroke={1.6} />}
          onClick={() => go(`/import?offer=${link}`)}
        >
          Import keys
        </Button>
        <Button disabled={offer.stock === 0} onClick={onWithdraw}>
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
          onClick={() => changes.setStatus(offer, isPaused ? 'active' : 'paused')}
        >
          {isPaused ? 'Activate' : 'Pause'}
        </Button>
      </div>
    </PanelSection>
  )
}

/** How long the stock lasts at the pace of the last seven days; nothing if no sales are known. */
function lasts({ stock, soldDays }: ListedOffer) {
  const week = soldDays?.reduce((sum, units) => sum + units, 0) ?? 0
  if (week === 0 || stock === 0) return null
  const days = Math.round((stock * 7) / week)
  return (
    <small className={styles.lasts}>
      {days < 1 ? 'lasts less than a day' : `lasts about ${t('counts.days', { count: days })}`}
    </small>
  )
}

/** The offer's delayed or queued changes. */
function Waiting({ offer }: { offer: OfferRow }) {
  if (offer.pending?.delayed === true)
    return (
      <PanelSection>
        <Notice tone="warn" title={`${t('screens.offers-delayed')}.`}>
          {t('screens.offers-delayed-why')}
        </Notice>
      </PanelSection>
    )
  const { queued, lost } = queuedParts(offer, formatCents)
  return (
    <>
      {lost.length === 0 ? null : (
        <QueuedNotice parts={lost} state="not confirmed">
          The response was lost. See the result in your <QueuedLink />.
        </QueuedNotice>
      )}
      {queued.length === 0 ? null : (
        <QueuedNotice parts={queued} state="queued">
          Nothing is sent until you review your <QueuedLink />.
        </QueuedNotice>
      )}
    </>
  )
}

const QueuedLink = () => (
  <Link href="/outbox" className={styles.link}>
    queued changes
  </Link>
)

function QueuedNotice({
  parts,
  state,
  children,
}: {
  parts: readonly string[]
  state: string
  children: ReactNode
}) {
  return (
    <PanelSection>
      <Notice
        tone="warn"
        icon={<IconClockHour4 size={15} stroke={1.6} color="var(--kd-warn)" />}
        title={`${parts.join(' and ').replace(/^./, (letter) => letter.toUpperCase())} ${state}.`}
      >
        {children}
      </Notice>
    </PanelSection>
  )
}
