import { useEffect, useState } from 'react'
import { type Cents, cents, subtractCents } from '../../../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../../../contract/offers/offers.ts'
import { customerPays, sellerReceives } from '../../../lib/commission.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCents } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { PriceField } from '../../../ui/controls/fields/price-field.tsx'
import { leadOf } from '../lead-of.ts'
import styles from '../offers.module.css'

const oneCent = cents(1)

/** The price of an offer with suggestions, its figures and the resulting lead. */
export function OfferPrice({
  offer,
  typedCents,
  onSave,
}: {
  offer: ListedOffer
  typedCents: Cents | null
  onSave: (cents: Cents) => void
}) {
  const [cents, setCents] = useState<Cents | null>(offer.priceCents)
  const shown = typedCents ?? cents
  useEffect(() => setCents(offer.priceCents), [offer.priceCents])
  const percent = offer.commission?.percent ?? null
  const changed = cents !== null && cents !== offer.priceCents
  const ready = changed && cents >= 1
  const reset = (): void => setCents(offer.priceCents)
  const { floorCents: floor, ceilingCents: ceiling } = offer
  const suggestions = suggestionsFor(offer)
  return (
    <PanelSection>
      <PriceField
        cents={shown}
        onChange={setCents}
        commissionPercent={percent}
        customerOf={customerPays}
        receiveOf={sellerReceives}
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
      <Figures offer={offer} cents={shown} />
      <div className={styles.notices}>
        {shown !== null && floor !== null && shown < floor && shown >= 1 ? (
          <Notice tone="warn" title={`Below the floor of ${formatCents(floor)}.`}>
            A rule will propose to raise the price again.
          </Notice>
        ) : null}
        {shown !== null && ceiling !== null && shown > ceiling ? (
          <Notice tone="warn" title={`Above the ceiling of ${formatCents(ceiling)}.`}>
            A rule will propose to lower the price again.
          </Notice>
        ) : null}
        <LeadNotice offer={offer} cents={shown} />
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

function suggestionsFor({
  commission,
  lowestCustomerCents: lowest,
  isCheapest,
  floorCents: floor,
}: ListedOffer): { label: string; cents: Cents }[] {
  const percent = commission?.percent ?? null
  return [
    ...(percent === null || lowest === null || isCheapest !== false
      ? []
      : [
          { label: `Match ${formatCents(lowest)}`, cents: sellerReceives(lowest, percent) },
          {
            label: 'Undercut by 0.01',
            cents: sellerReceives(subtractCents(lowest, oneCent), percent),
          },
        ]),
    ...(floor === null || percent === null
      ? []
      : [{ label: `At floor ${formatCents(customerPays(floor, percent))}`, cents: floor }]),
  ]
}

function Figures({ offer, cents: shown }: { offer: OfferRow; cents: Cents | null }) {
  const percent = offer.commission?.percent ?? null
  return (
    <dl className={styles.figures}>
      <div>
        <dt>Commission{percent === null ? '' : ` ${percent} %`}</dt>
        <dd>
          {shown === null || percent === null
            ? '–'
            : formatCents(subtractCents(customerPays(shown, percent), shown))}
        </dd>
      </div>
      <div>
        <dt>Profit per key</dt>
        <dd>
          {shown === null || offer.costCents === null
            ? '–'
            : formatCents(subtractCents(shown, offer.costCents))}
        </dd>
      </div>
      <div>
        <dt>Change</dt>
        <dd>
          {shown === null
            ? '–'
            : formatCents(subtractCents(shown, offer.priceCents), { sign: true })}
        </dd>
      </div>
    </dl>
  )
}

/** Where the typed price would put the offer. */
function TypedPriceNotice({
  customer,
  lowest,
  lead,
}: {
  /** The typed price, as customers see it. */
  customer: Cents
  lowest: Cents
  lead: ReturnType<typeof leadOf>
}) {
  const now =
    lead.kind === 'behind' && lead.distanceCents !== null
      ? `You are now ${formatCents(lead.distanceCents)} behind.`
      : ''
  if (customer < lowest)
    return (
      <Notice
        tone="ok"
        title={`Takes the lead by ${formatCents(subtractCents(lowest, customer))}.`}
      >
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
    <Notice tone="warn" title={`Still ${formatCents(subtractCents(customer, lowest))} behind.`}>
      {now}
    </Notice>
  )
}

function LeadNotice({ offer, cents }: { offer: OfferRow; cents: Cents | null }) {
  const lead = leadOf(offer)
  const { lowestCustomerCents: lowest, commission } = offer
  if (offer.unavailable === true)
    return (
      <Notice tone="bad" title="Product removed.">
        It left the catalogue, so nobody can buy it. Withdraw the keys, or wait until it returns.
      </Notice>
    )
  if (
    cents !== null &&
    cents !== offer.priceCents &&
    commission !== null &&
    lowest !== null &&
    offer.isCheapest === false &&
    offer.stock > 0 &&
    offer.status === 'active'
  ) {
    return (
      <TypedPriceNotice
        customer={customerPays(cents, commission.percent)}
        lowest={lowest}
        lead={lead}
      />
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
