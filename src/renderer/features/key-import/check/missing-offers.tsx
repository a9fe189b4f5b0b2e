import { t } from '../../../../contract/localization/localized.ts'
import { Checkbox, SegmentedControl, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { saveText } from '../../../lib/save-file.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import { GuardWarning } from '../../offers/bulk/guard-warning.tsx'
import { createdOffersCsv, initialChoice, withProduct } from './created-offers-csv.ts'
import type { Choice, ChosenProduct, CreatedOffer, Missing } from './created-offers-csv.ts'
import type { ImportFileProps } from './file-props.ts'
import { unusualPrice } from './unusual-price.ts'
import shared from '../key-import.module.css'
import styles from './check.module.css'

/** Shows how many values match no offer, and creates offers for them. */
export function MissingOffers({ values, ...of }: ImportFileProps & { values: number }) {
  const [opened, setOpened] = useState(false)
  return (
    <div className={styles.missing}>
      <span>{t('screens.imports-no-match', { count: values })}</span>
      <Button size="xs" onClick={() => setOpened(true)}>
        {t('screens.imports-create-offers', { count: values })}
      </Button>
      {opened ? <CreateOffers {...of} onClose={() => setOpened(false)} /> : null}
    </div>
  )
}

/** The person's choice for each value. */
function useChoices() {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const choiceOf = (row: Missing): Choice => choices.get(row.value ?? '') ?? initialChoice(row)
  const set = (row: Missing, choice: Choice): void =>
    setChoices(new Map(choices).set(row.value ?? '', choice))
  return { choiceOf, set }
}

/**
 * Creates the offers. Those that failed stay in the table, to correct and repeat them; `results`
 * has what became of each value.
 */
function useCreatedOffers(fileName: string, onAllCreated: () => void) {
  const [results, setResults] = useState<ReadonlyMap<string, CreatedOffer>>(new Map())
  const create = useMutation(
    api.imports.createOffers.mutationOptions({
      onSuccess: ({ results: now }) => {
        const failed = now.filter(({ problem }) => problem !== null)
        const made = now.length - failed.length
        if (made > 0)
          toast({
            title: `${t('counts.offers', { count: made })} created`,
            text: 'Their lines are ready to upload.',
          })
        if (failed.length === 0) return onAllCreated()
        setResults(
          (before) => new Map([...before, ...now.map((each) => [each.value ?? '', each] as const)]),
        )
      },
      onError: (error) => toastProblem(problemOf(error), fileName),
    }),
  )
  return { create, results }
}

/** The chosen offers that weren't created yet, and those of them with a product and a price. */
function offersToCreate(
  rows: readonly Missing[],
  choiceOf: (row: Missing) => Choice,
  results: ReadonlyMap<string, CreatedOffer>,
  status: 'active' | 'paused',
) {
  const isMade = ({ value }: Missing): boolean => results.get(value ?? '')?.problem === null
  const wanted = rows.flatMap((row) => {
    const { product, cents, wanted: isWanted } = choiceOf(row)
    return isWanted && !isMade(row)
      ? [{ value: row.value, productId: product?.productId ?? null, priceCents: cents, status }]
      : []
  })
  const complete = wanted.flatMap(({ productId, priceCents, ...rest }) =>
    productId === null || priceCents === null || priceCents < 1
      ? []
      : [{ ...rest, productId, priceCents }],
  )
  return { wanted, complete }
}

/** The guard from Settings, and the warning about the offers whose price it stops. */
function useUnusualPrices(
  rows: readonly Missing[],
  choiceOf: (row: Missing) => Choice,
  complete: ReturnType<typeof offersToCreate>['complete'],
) {
  const guardPercent = useQuery(api.app.settings.queryOptions()).data?.priceGuard ?? 0
  const unusual = complete.filter(({ value }) =>
    rows.some((row) => row.value === value && unusualPrice(choiceOf(row), guardPercent) !== null),
  )
  // A confirmation is for these products and prices only.
  const asked = JSON.stringify(unusual.map(({ productId, priceCents }) => [productId, priceCents]))
  const [confirmed, setConfirmed] = useState('')
  return {
    guardPercent,
    warning: {
      count: unusual.length,
      confirmed: unusual.length === 0 || confirmed === asked,
      onConfirm: (confirms: boolean): void => setConfirmed(confirms ? asked : ''),
    },
  }
}

function StatusChoice({
  status,
  onChange,
}: {
  status: 'active' | 'paused'
  onChange: (status: 'active' | 'paused') => void
}) {
  return (
    <SegmentedControl
      aria-label="Status of the new offers"
      data={[
        { value: 'paused', label: 'Paused' },
        { value: 'active', label: 'Active' },
      ]}
      value={status}
      onChange={(value) => onChange(value === 'active' ? 'active' : 'paused')}
    />
  )
}

/** Closes the dialog, saves the results as a file, creates the chosen offers. */
function CreateActions({
  count,
  isComplete,
  isCreating,
  results,
  onSave,
  onCreate,
  onClose,
}: {
  /** Number of offers to create. */
  count: number
  /** Whether each chosen value has a product and a price, and unusual prices are confirmed. */
  isComplete: boolean
  isCreating: boolean
  results: ReadonlyMap<string, CreatedOffer>
  onSave: () => void
  onCreate: () => void
  onClose: () => void
}) {
  const hasFailed = [...results.values()].some(({ problem }) => problem !== null)
  return (
    <>
      <Button size="md" onClick={onClose}>
        {results.size === 0 ? 'Cancel' : 'Close'}
      </Button>
      {results.size === 0 ? null : (
        <Button size="md" onClick={onSave}>
          Save results as CSV
        </Button>
      )}
      <Button
        size="md"
        kind="primary"
        busy={isCreating}
        disabled={count === 0 || !isComplete}
        onClick={onCreate}
      >
        {hasFailed ? 'Retry' : 'Create'} {count === 0 ? 'offers' : t('counts.offers', { count })}
      </Button>
    </>
  )
}

const MissingOffersHead = () => (
  <thead>
    <tr>
      <th scope="col">
        <span className="kd-hidden">Create</span>
      </th>
      <th scope="col">In the file</th>
      <th scope="col" className={shared.end}>
        Lines
      </th>
      <th scope="col">Product</th>
      <th scope="col">You receive</th>
    </tr>
  </thead>
)

function CreateOffers({
  importId,
  accountId,
  file,
  onClose,
}: ImportFileProps & { onClose: () => void }) {
  const account = useAccount()
  const { fileId } = file
  const missing = useQuery({
    ...api.imports.missingOffers.queryOptions({ input: { importId, fileId } }),
    // What a person reads and prices stays, whatever else changes.
    staleTime: 'static',
    gcTime: 0,
  })
  const [status, setStatus] = useState<'active' | 'paused'>('paused')
  const { create, results } = useCreatedOffers(file.name, onClose)
  const { rows, left } = missing.data ?? { rows: [], left: 0 }
  const { choiceOf, set } = useChoices()
  const { wanted, complete } = offersToCreate(rows, choiceOf, results, status)
  const { guardPercent, warning } = useUnusualPrices(rows, choiceOf, complete)
  return (
    <Dialog
      opened
      onClose={onClose}
      account={account}
      width={860}
      title="Create missing offers"
      lead={
        <>
          Choose the product for each value in <b>{file.name}</b> and how much you receive per unit.
          Nothing is uploaded yet.
          {left === 0 ? '' : ` ${t('screens.imports-missing-left', { count: left })}`}
        </>
      }
      actions={
        <CreateActions
          count={complete.length}
          isComplete={complete.length === wanted.length && warning.confirmed}
          isCreating={create.isPending}
          results={results}
          onSave={() =>
            saveText(`new-offers-${file.name}.csv`, createdOffersCsv(rows, choiceOf, results))
          }
          onCreate={() => create.mutate({ importId, fileId, offers: complete })}
          onClose={onClose}
        />
      }
      note={<StatusChoice status={status} onChange={setStatus} />}
    >
      <div className={styles.makeOffers}>
        <table className={shared.table} aria-label="Missing offers">
          <MissingOffersHead />
          <tbody>
            {rows.map((row) => (
              <MissingOfferRow
                key={row.value ?? ''}
                accountId={accountId}
                row={row}
                choice={choiceOf(row)}
                guardPercent={guardPercent}
                result={results.get(row.value ?? '') ?? null}
                onChange={(choice) => set(row, choice)}
              />
            ))}
            {missing.isPending ? (
              <tr>
                <td colSpan={5} className={shared.grey}>
                  Searching the catalogue…
                </td>
              </tr>
            ) : null}
            {missing.isError ? (
              <tr>
                <td colSpan={5}>
                  <ProblemNotice problem={problemOf(missing.error)} />
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      <div className={styles.unusual}>
        <GuardWarning isNew {...warning} />
      </div>
    </Dialog>
  )
}

function MissingOfferRow({
  accountId,
  row,
  choice,
  guardPercent,
  result,
  onChange,
}: {
  accountId: string
  row: Missing
  choice: Choice
  guardPercent: number
  /** Null until its offer was requested. */
  result: CreatedOffer | null
  onChange: (choice: Choice) => void
}) {
  const name = row.value ?? 'this file'
  const guarded = unusualPrice(choice, guardPercent)
  return (
    <tr data-quiet={!choice.wanted || undefined}>
      <td>
        <Checkbox
          size="xs"
          aria-label={`Create an offer for ${name}`}
          checked={choice.wanted}
          disabled={result !== null && result.problem === null}
          onChange={(event) => onChange({ ...choice, wanted: event.currentTarget.checked })}
        />
      </td>
      <td>
        <span className="kd-mono">{name}</span>
        {result === null ? null : (
          <small className={result.problem === null ? shared.grey : shared.why} role="status">
            {result.problem === null
              ? 'Created'
              : [result.problem.what, result.problem.effect, result.problem.next]
                  .filter((part) => part !== null)
                  .join(' ')}
          </small>
        )}
      </td>
      <td className={shared.end}>{formatCount(row.lines)}</td>
      <td>
        {row.product !== null ? (
          <NameCell name={row.product.name} detail={variantLabel(row.product)} />
        ) : (
          <ProductSelect
            accountId={accountId}
            value={name}
            chosen={choice.product}
            onChoose={(product) => onChange(withProduct(choice, product))}
          />
        )}
      </td>
      <td>
        <MoneyField
          // The price of another product replaces the text, also if that one has none.
          key={choice.product?.productId ?? ''}
          label={`You receive for ${name}`}
          cents={choice.cents}
          onChange={(cents) => onChange({ ...choice, cents, isTyped: true })}
        />
        {guarded === null || !choice.wanted ? null : (
          <small className={shared.why}>
            {percentChange(guarded.fromCents, guarded.toCents)} from the best price,{' '}
            {formatCents(guarded.fromCents)}
          </small>
        )}
      </td>
    </tr>
  )
}

const optionOf = (product: Omit<ChosenProduct, 'bestSellerCents'>) => ({
  value: product.productId,
  label: `${product.name} · ${variantLabel(product)}`,
})

function ProductSelect({
  accountId,
  value,
  chosen,
  onChoose,
}: {
  accountId: string
  value: string
  chosen: ChosenProduct | null
  onChoose: (product: ChosenProduct) => void
}) {
  const [typed, setTyped] = useState('')
  const current = chosen === null ? null : optionOf(chosen)
  // The field shows the chosen product, which is no search.
  const [query] = useDebouncedValue(typed === '' || typed === current?.label ? value : typed, 150)
  const found = useQuery({
    ...api.catalogue.search.queryOptions({
      input: {
        accountId,
        filter: { query: query.slice(0, 200) },
        window: { offset: 0, limit: 20 },
      },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = found.data?.rows ?? []
  const isListed = current === null || rows.some(({ productId }) => productId === current.value)
  return (
    <Select
      aria-label={`Product for ${value}`}
      placeholder="Search the catalogue"
      searchable
      allowDeselect={false}
      maxDropdownHeight={220}
      filter={({ options }) => options}
      nothingFoundMessage="No matching products"
      data={[...(isListed ? [] : [current]), ...rows.map(optionOf)]}
      value={current?.value ?? null}
      onSearchChange={setTyped}
      onChange={(productId) => {
        const product = rows.find((row) => row.productId === productId)
        if (product !== undefined) onChoose(product)
      }}
    />
  )
}
