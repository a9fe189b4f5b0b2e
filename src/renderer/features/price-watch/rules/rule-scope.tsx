import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Cents } from '../../../../../server/api/money.ts'
import type { Contract } from '../../../../contract/index.ts'
import type { RuleScope as Scope } from '../../../../contract/price-watch/price-rules.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import {
  deliveryTypeLabel,
  productTypeLabel,
  variantLabel,
} from '../../../lib/labels/product-labels.ts'
import { api } from '../../../lib/core/rpc.ts'
import { ChoiceChip, FilterChip } from '../../../ui/controls/filters/filter-chip.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { Clause, parseWithin, Typed, Word } from './sentence-parts.tsx'
import styles from './rules.module.css'

type RuleChoices = InferContractRouterOutputs<Contract['priceWatch']>['choices']
type Filter = Extract<Scope, { kind: 'filter' }>
const anyOffer: Filter = {
  kind: 'filter',
  platforms: [],
  regions: [],
  productTypes: [],
  deliveryTypes: [],
  fromCents: null,
  toCents: null,
}
const kinds = [
  { value: 'all', label: 'all offers' },
  { value: 'filter', label: 'offers that match' },
  { value: 'offers', label: 'selected offers' },
] as const
const shownOffers = 12
const mostOffers = 5000

/** Which offers a rule covers: all, those that match a filter, or selected ones. */
export function RuleScope({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const { id: accountId } = useAccount()
  /**
   * Set while "selected offers" is chosen but none is selected: the rule stays unchanged until
   * then.
   */
  const [picking, setPicking] = useState(false)
  const choices = useQuery({
    ...api.priceWatch.choices.queryOptions({
      input: { accountId, offerIds: scope.kind === 'offers' ? scope.offerIds : [] },
    }),
    placeholderData: keepPreviousData,
  }).data
  const kind = picking ? 'offers' : scope.kind
  const named = scope.kind === 'offers' ? scope.offerIds : []
  const names = new Map((choices?.offers ?? []).map((offer) => [offer.offerId, offer.name]))
  const choose = (next: (typeof kinds)[number]['value']): void => {
    setPicking(next === 'offers' && scope.kind !== 'offers')
    if (next === 'all') onChange({ kind: 'all' })
    else if (next === 'filter') onChange(scope.kind === 'filter' ? scope : anyOffer)
  }
  return (
    <Clause label="For">
      <Word label="For" value={kind} choices={kinds} onChange={choose} />
      {kind === 'filter' && scope.kind === 'filter' ? (
        <FilterScope scope={scope} choices={choices} onChange={onChange} />
      ) : null}
      {kind === 'offers' ? (
        <>
          {named.slice(0, shownOffers).map((offerId) =>
            named.length === 1 ? (
              <b key={offerId} className={styles.named}>
                {names.get(offerId) ?? offerId}
              </b>
            ) : (
              <FilterChip
                key={offerId}
                value={names.get(offerId) ?? offerId}
                onRemove={() =>
                  onChange({ kind: 'offers', offerIds: named.filter((other) => other !== offerId) })
                }
              />
            ),
          )}
          {named.length > shownOffers ? (
            <span>and {formatCount(named.length - shownOffers)} more</span>
          ) : null}
          {named.length >= mostOffers ? null : (
            <OfferPicker
              named={named}
              onPick={(offerId) => {
                setPicking(false)
                onChange({ kind: 'offers', offerIds: [...named, offerId] })
              }}
            />
          )}
        </>
      ) : null}
      with stock
    </Clause>
  )
}

/** The filter that offers must match. */
function FilterScope({
  scope,
  choices,
  onChange,
}: {
  scope: Filter
  choices: RuleChoices | undefined
  onChange: (scope: Filter) => void
}) {
  return (
    <>
      <ChoiceChip
        label="Platform"
        values={choices?.platforms ?? []}
        chosen={scope.platforms}
        onChange={(platforms) => onChange({ ...scope, platforms })}
      />
      <ChoiceChip
        label="Region"
        values={choices?.regions ?? []}
        chosen={scope.regions}
        onChange={(regions) => onChange({ ...scope, regions })}
      />
      <Worded
        label="Type"
        values={choices?.productTypes ?? []}
        word={productTypeLabel}
        chosen={scope.productTypes}
        onChange={(productTypes) => onChange({ ...scope, productTypes })}
      />
      <Worded
        label="Delivery"
        values={choices?.deliveryTypes ?? []}
        word={deliveryTypeLabel}
        chosen={scope.deliveryTypes}
        onChange={(deliveryTypes) => onChange({ ...scope, deliveryTypes })}
      />
      the customer pays{' '}
      <Bound
        label="Customer pays at least"
        cents={scope.fromCents}
        onChange={(fromCents) => onChange({ ...scope, fromCents })}
      />{' '}
      to{' '}
      <Bound
        label="Customer pays at most"
        cents={scope.toCents}
        onChange={(toCents) => onChange({ ...scope, toCents })}
      />{' '}
      EUR,{' '}
    </>
  )
}

/** A choice among values of the service, with display names. */
function Worded({
  label,
  values,
  word,
  chosen,
  onChange,
}: {
  label: string
  values: readonly string[]
  word: (value: string) => string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const all = [...new Set([...values, ...chosen])]
  return (
    <ChoiceChip
      label={label}
      values={all.map(word)}
      chosen={chosen.map(word)}
      onChange={(words) => onChange(all.filter((value) => words.includes(word(value))))}
    />
  )
}

/** A bound of the price range; empty means none. */
const Bound = ({
  label,
  cents,
  onChange,
}: {
  label: string
  cents: Cents | null
  onChange: (cents: Cents | null) => void
}) => (
  <Typed
    label={label}
    placeholder="any"
    value={cents}
    format={(bound) => (bound === null ? '' : formatCents(bound))}
    parse={(typed) => (typed.trim() === '' ? null : parseWithin(typed))}
    onChange={onChange}
  />
)

function OfferPicker({
  named,
  onPick,
}: {
  named: readonly string[]
  onPick: (offerId: string) => void
}) {
  const { id: accountId } = useAccount()
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed, 150)
  const found =
    useQuery({
      ...api.offers.list.queryOptions({
        input: { accountId, query, window: { offset: 0, limit: 50 } },
      }),
      placeholderData: keepPreviousData,
    }).data?.rows ?? []
  return (
    <Select
      aria-label="Add an offer to the rule"
      placeholder={named.length === 0 ? 'Choose an offer' : 'Add another'}
      size="xs"
      w={180}
      searchable
      maxDropdownHeight={280}
      comboboxProps={{ width: 340, position: 'bottom-start' }}
      data={found
        .filter(({ offerId }) => !named.includes(offerId))
        .map((row) => ({
          value: row.offerId,
          label: `${row.name} · ${variantLabel(row)}`,
        }))}
      filter={({ options }) => options}
      nothingFoundMessage="No matching offers"
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(offerId) => {
        if (offerId !== null) {
          setTyped('')
          onPick(offerId)
        }
      }}
    />
  )
}
