import { t } from '../../../../contract/localization/localized.ts'
import { FileButton, Select, Switch, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type { Bulk, BulkLine, PlanPage } from '../../../../contract/offers/offer-bulk.ts'
import type { NewOfferItem, NewPrice } from '../../../../contract/offers/offer-creation.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
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
  items,
  onClose,
  onBegun,
  children,
  priced = false,
}: {
  items: NewOfferItem[]
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
    items,
    price: price ?? { by: 'shop' as const },
    status: paused ? ('paused' as const) : ('active' as const),
  }
  const list = JSON.stringify(wish)
  const rows = usePagedRows<BulkLine, PlanPage>(list, (window) => ({
    ...api.offers.creation.preview.queryOptions({ input: { ...wish, window } }),
    enabled: items.length > 0,
  }))
  const start = useMutation(
    api.offers.creation.start.mutationOptions({ onSuccess: onBegun, onError: rows.retry }),
  )
  const seen = useSeenPlan(list, rows.list === list ? rows.page?.fingerprint : undefined)
  const overGuard = items.length === 0 ? 0 : (rows.page?.summary.overGuard ?? 0)
  const [sendsBeyond, setSendsBeyond] = useState<string | null>(null)
  const beyondGuard = sendsBeyond === seen.fingerprint
  const changes = items.length === 0 ? 0 : (rows.page?.summary.changes ?? 0)
  const leftOut = items.length === 0 ? 0 : (rows.page?.summary.leftOut ?? 0)
  const duration = items.length === 0 ? null : longDuration(rows.page)
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
        items.length === 0
          ? 'New offers from a table'
          : `New offers for ${t('counts.products', { count: items.length })}`
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
      {problem === null ? null : (
        <Notice tone="bad" title={problem.what}>
          {problem.effect} {problem.next}
          <ProblemCodes problem={problem} />
        </Notice>
      )}
      <GuardWarning
        count={overGuard}
        confirmed={beyondGuard}
        onConfirm={(sends) => setSendsBeyond(sends ? (seen.fingerprint ?? null) : null)}
      />
      {seen.moved === null ? null : <PlanMoves seen={seen} moved={seen.moved} />}
      {items.length === 0 ? null : <PreviewTable rows={rows} what="prices" />}
    </Dialog>
  )
}

/** Bulk creation of offers from a table of products and prices, pasted or read from a file. */
export function CreateFromTable({
  onClose,
  onBegun,
}: {
  onClose: () => void
  onBegun: (bulk: Bulk) => void
}) {
  const account = useAccount()
  const [text, setText] = useState('')
  const asked = useDeferredValue(text)
  const read = useQuery({
    ...api.offers.creation.read.queryOptions({ input: { accountId: account.id, text: asked } }),
    enabled: asked.trim() !== '',
  }).data
  const wrong = asked.trim() === '' ? [] : (read?.wrong ?? [])
  return (
    <CreateOffers
      key={read?.priced === 0 ? 'free' : 'priced'}
      items={asked.trim() === '' ? [] : (read?.items ?? [])}
      onClose={onClose}
      onBegun={onBegun}
      priced={(read?.priced ?? 1) > 0}
    >
      <div className={styles.paste}>
        <Textarea
          label="Product id or exact name, and what you receive in EUR"
          placeholder={'product,price\nprd_1k2,12.50'}
          value={text}
          minRows={4}
          maxRows={8}
          autosize
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={styles.file}>
          <FileButton
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(file) => void file?.text().then(setText)}
          >
            {({ onClick }) => (
              <Button icon={<IconFileText size={16} stroke={1.6} />} onClick={onClick}>
                Choose a CSV file…
              </Button>
            )}
          </FileButton>
        </div>
        {wrong.length === 0 ? null : (
          <Notice
            tone="warn"
            title={t('screens.offers-unreadable', { count: read?.wrongCount ?? 0 })}
          >
            <ul className={styles.wrong}>
              {wrong.map((line) => (
                <li key={line.line}>
                  Line {line.line}: {line.reason} <span className="kd-mono">{line.text}</span>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </CreateOffers>
  )
}
