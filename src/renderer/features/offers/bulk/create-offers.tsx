import { t } from '../../../../contract/localization/localized.ts'
import { Select, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type { Bulk, BulkLine, PlanPage } from '../../../../contract/offers/offer-bulk.ts'
import type { NewOfferSource, NewPrice } from '../../../../contract/offers/offer-creation.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../parts.module.css'
import { GuardWarning } from './guard-warning.tsx'
import { longDuration } from './bulk-texts.ts'
import { PlanMoves, useConfirmedPlan } from './plan-moves.tsx'
import { PreviewTable } from './preview-table.tsx'
import { readPercent, readSignedEuros } from './reprice-rule.tsx'
import { ruleInForce } from './rule-in-force.ts'
import { TypedCount } from './typed-count.tsx'

type By = NewPrice['by']
const rules: { value: By; label: string }[] = [
  { value: 'shop', label: 'Shop price' },
  { value: 'undercut', label: 'Shop price minus EUR' },
  { value: 'percent', label: 'Shop price plus percent' },
  { value: 'given', label: 'Price from the table' },
]

function priceOf(by: By, text: string): NewPrice | null {
  if (by === 'shop' || by === 'given') return { by }
  if (by === 'undercut') {
    const amount = readSignedEuros(text)
    return amount === null || amount < 1 ? null : { by, cents: amount }
  }
  const hundredths = readPercent(text)
  return hundredths === null || hundredths < -9900 || hundredths > 100_000
    ? null
    : { by, hundredths }
}

/**
 * The rule for the prices of new offers; `price` is null while its figure is invalid.
 *
 * @param priced Whether the table has prices.
 */
function useNewPrice(priced: boolean) {
  const [chosen, setBy] = useState<By | null>(null)
  const [figure, setFigure] = useState('0.01')
  const by = ruleInForce(chosen, priced)
  return { price: priceOf(by, figure), by, setBy, figure, setFigure }
}

function NewPriceField({
  by,
  setBy,
  figure,
  setFigure,
  isValid,
  priced,
}: Omit<ReturnType<typeof useNewPrice>, 'price'> & {
  isValid: boolean
  /** Whether the table has prices. */
  priced: boolean
}) {
  return (
    <>
      <Select
        aria-label="How prices are set"
        data={priced ? rules : rules.filter(({ value }) => value !== 'given')}
        value={by}
        allowDeselect={false}
        w={260}
        onChange={(value) => setBy(rules.find((rule) => rule.value === value)?.value ?? 'shop')}
      />
      {by === 'undercut' || by === 'percent' ? (
        <input
          className={styles.figure}
          aria-label={by === 'undercut' ? 'Amount in EUR' : 'Percent'}
          aria-invalid={!isValid}
          inputMode="decimal"
          value={figure}
          onChange={(event) => setFigure(event.currentTarget.value)}
        />
      ) : null}
    </>
  )
}

function PausedSwitch({
  paused,
  onChange,
}: {
  paused: boolean
  onChange: (paused: boolean) => void
}) {
  return (
    <Switch
      size="sm"
      checked={paused}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label="Create as paused"
    />
  )
}

/** The plan for new offers; `submit` starts it once it is confirmed. */
function useCreationPlan(
  {
    source,
    count,
    price,
    paused,
  }: { source: NewOfferSource | null; count: number; price: NewPrice | null; paused: boolean },
  onBegun: (bulk: Bulk) => void,
) {
  const account = useAccount()
  const wish = {
    accountId: account.id,
    source: source ?? { items: [] },
    price: price ?? { by: 'shop' as const },
    status: paused ? ('paused' as const) : ('active' as const),
  }
  const list = JSON.stringify(wish)
  const rows = usePagedRows<BulkLine, PlanPage>(
    list,
    (window) => ({
      ...api.offers.creation.preview.queryOptions({ input: { ...wish, window } }),
      enabled: count > 0,
    }),
    (line) => line.subjectId,
  )
  const start = useMutation(
    api.offers.creation.start.mutationOptions({ onSuccess: onBegun, onError: rows.retry }),
  )
  const { changes = 0, overGuard = 0 } = (count === 0 ? undefined : rows.page?.summary) ?? {}
  const mustType = account.mode === 'live' && changes > BULK_CONFIRM_ABOVE
  const plan = useConfirmedPlan(list, rows, { changes, overGuard, mustType })
  const { confirmation } = plan
  const ready = confirmation !== null && price !== null && !start.isPending
  return {
    rows,
    plan,
    mustType,
    start,
    ready,
    submit: (): void => {
      if (ready) start.mutate({ ...wish, ...confirmation })
    },
  }
}

const titleOf = (count: number): string =>
  count === 0 ? 'New offers from a table' : `New offers for ${t('counts.products', { count })}`

/** Bulk creation of offers for products checked in the catalogue. */
export function CreateOffers({
  source,
  count,
  onClose,
  onBegun,
  children,
  priced = false,
}: {
  /** Null while there is none. */
  source: NewOfferSource | null
  /** Number of products. */
  count: number
  onClose: () => void
  onBegun: (bulk: Bulk) => void
  children?: ReactNode
  priced?: boolean
}) {
  const account = useAccount()
  const { price, ...rule } = useNewPrice(priced)
  const [paused, setPaused] = useState(false)
  const { rows, plan, mustType, start, ready, submit } = useCreationPlan(
    { source, count, price, paused },
    onBegun,
  )
  const { seen } = plan
  const page = count === 0 ? undefined : rows.page
  const { changes = 0, leftOut = 0, overGuard = 0 } = page?.summary ?? {}
  const duration = longDuration(page)
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  const problem = start.isError ? problemOf(start.error) : null
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={800}
      title={titleOf(count)}
      lead={`Customers see an offer once it has keys. Products that you already offer are left out.${
        duration === null ? '' : ` Creating them takes about ${duration}.`
      }`}
      note={
        mustType ? (
          <TypedCount count={changes} typed={plan.typed} onType={plan.setTyped} />
        ) : leftOut === 0 ? undefined : (
          `${t('counts.products', { count: leftOut })} left out. The notes show why.`
        )
      }
      actions={
        <SubmitActions ready={ready} busy={start.isPending} onCancel={onClose} onSubmit={submit}>
          {changes === 0 ? 'Create offers' : `Create ${t('counts.offers', { count: changes })}`}
        </SubmitActions>
      }
    >
      {children}
      <div className={styles.rule}>
        <NewPriceField {...rule} isValid={price !== null} priced={priced} />
        <PausedSwitch paused={paused} onChange={setPaused} />
      </div>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <GuardWarning isNew count={overGuard} {...plan.guard} />
      {seen.moved === null ? null : <PlanMoves seen={seen} moved={seen.moved} />}
      {count === 0 ? null : <PreviewTable rows={rows} what="prices" />}
    </Dialog>
  )
}
