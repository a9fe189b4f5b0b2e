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
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../parts.module.css'
import { GuardWarning } from './guard-warning.tsx'
import { longDuration } from './bulk-texts.ts'
import { PlanMoves, useSeenPlan } from './plan-moves.tsx'
import { PreviewTable } from './preview-table.tsx'
import { readPercent, readSignedEuros } from './reprice-rule.tsx'

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
  const [by, setBy] = useState<By>(priced ? 'given' : 'undercut')
  const [figure, setFigure] = useState('0.01')
  const [paused, setPaused] = useState(false)
  const [typed, setTyped] = useState('')
  const price = priceOf(by, figure)
  const wish = {
    accountId: account.id,
    source: source ?? { items: [] },
    price: price ?? { by: 'shop' as const },
    status: paused ? ('paused' as const) : ('active' as const),
  }
  const list = JSON.stringify(wish)
  const rows = usePagedRows<BulkLine, PlanPage>(list, (window) => ({
    ...api.offers.creation.preview.queryOptions({ input: { ...wish, window } }),
    enabled: count > 0,
  }))
  const start = useMutation(
    api.offers.creation.start.mutationOptions({ onSuccess: onBegun, onError: rows.retry }),
  )
  const seen = useSeenPlan(list, rows.list === list ? rows.page?.fingerprint : undefined)
  const overGuard = count === 0 ? 0 : (rows.page?.summary.overGuard ?? 0)
  const [sendsBeyond, setSendsBeyond] = useState<string | null>(null)
  const beyondGuard = sendsBeyond === seen.fingerprint
  const changes = count === 0 ? 0 : (rows.page?.summary.changes ?? 0)
  const leftOut = count === 0 ? 0 : (rows.page?.summary.leftOut ?? 0)
  const duration = count === 0 ? null : longDuration(rows.page)
  const mustType = account.mode === 'live' && changes > BULK_CONFIRM_ABOVE
  const ready =
    changes > 0 &&
    price !== null &&
    !start.isPending &&
    seen.moved === null &&
    (overGuard === 0 || beyondGuard) &&
    (!mustType || typed.trim() === String(changes))
  const submit = (): void => {
    const { fingerprint } = seen
    if (ready && fingerprint !== undefined)
      start.mutate({
        ...wish,
        fingerprint,
        beyondGuard,
        typed: typed.trim() === '' ? null : typed.trim(),
      })
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  const problem = start.isError ? problemOf(start.error) : null
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={800}
      title={
        count === 0
          ? 'New offers from a table'
          : `New offers for ${t('counts.products', { count })}`
      }
      lead={`Customers see an offer once it has keys. Products that you already offer are left out.${
        duration === null ? '' : ` Creating them takes about ${duration}.`
      }`}
      note={
        mustType ? (
          <span className={styles.type}>
            <label>
              Type <b>{changes}</b> to continue.{' '}
              <input value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
            </label>
          </span>
        ) : leftOut === 0 ? undefined : (
          `${t('counts.products', { count: leftOut })} left out. The notes show why.`
        )
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            {...(ready && { keys: ['Ctrl', 'Enter'] })}
            busy={start.isPending}
            disabled={!ready && !start.isPending}
            onClick={submit}
          >
            {changes === 0 ? 'Create offers' : `Create ${t('counts.offers', { count: changes })}`}
          </Button>
        </>
      }
    >
      {children}
      <div className={styles.rule}>
        <Select
          aria-label="How prices are set"
          data={priced || by === 'given' ? rules : rules.filter(({ value }) => value !== 'given')}
          value={by}
          allowDeselect={false}
          w={260}
          onChange={(value) => setBy(rules.find((rule) => rule.value === value)?.value ?? 'shop')}
        />
        {by === 'undercut' || by === 'percent' ? (
          <input
            className={styles.figure}
            aria-label={by === 'undercut' ? 'Amount in EUR' : 'Percent'}
            aria-invalid={price === null}
            inputMode="decimal"
            value={figure}
            onChange={(event) => setFigure(event.currentTarget.value)}
          />
        ) : null}
        <Switch
          size="sm"
          checked={paused}
          onChange={(event) => setPaused(event.currentTarget.checked)}
          label="Create as paused"
        />
      </div>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <GuardWarning
        isNew
        count={overGuard}
        confirmed={beyondGuard}
        onConfirm={(sends) => setSendsBeyond(sends ? (seen.fingerprint ?? null) : null)}
      />
      {seen.moved === null ? null : <PlanMoves seen={seen} moved={seen.moved} />}
      {count === 0 ? null : <PreviewTable rows={rows} what="prices" />}
    </Dialog>
  )
}
