import { Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { ZERO } from '../../../../../server/api/money.ts'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type {
  Bulk,
  BulkChange,
  BulkLine,
  BulkSummary,
  PlanPage,
  Reprice,
} from '../../../../contract/offers/offer-bulk.ts'
import { t } from '../../../../contract/localization/localized.ts'
import type { OfferFilter } from '../../../../contract/offers/offer-filter.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { FigureStrip } from '../../../ui/data-display/facts.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { confirmationTexts, longDuration } from './bulk-texts.ts'
import styles from '../parts.module.css'
import { GuardWarning } from './guard-warning.tsx'
import type { GuardConfirmation } from './guard-warning.tsx'
import { PlanMoves, useSeenPlan } from './plan-moves.tsx'
import { PreviewTable } from './preview-table.tsx'
import { RepriceRule } from './reprice-rule.tsx'

export type Selection = { offerIds: string[] } | { filter: OfferFilter }

export interface BulkDialogProps {
  chosen: Selection
  count: number
  /**
   * The change made to each offer. For prices, this is the initial rule, which can be edited here.
   */
  change: BulkChange
  onClose: () => void
  onStarted: (bulk: Bulk) => void
}

/**
 * Confirms a bulk change: shows the rule, the totals and every line, and in LIVE asks to type the
 * number.
 */
export function BulkDialog({
  chosen,
  count,
  change: asked,
  onClose,
  onStarted: onBegun,
}: BulkDialogProps) {
  const account = useAccount()
  const field = useId()
  const [how, setHow] = useState<Reprice | null>(asked.kind === 'price' ? asked.how : null)
  const [keepFloor, setKeepFloor] = useState(true)
  const [typed, setTyped] = useState('')
  const change: BulkChange =
    asked.kind === 'price'
      ? { kind: 'price', how: how ?? { by: 'amount', cents: ZERO }, keepFloor }
      : asked
  const shown = useDeferredValue(change)
  const wish = JSON.stringify([account.id, chosen, shown])
  const rows = usePagedRows<BulkLine, PlanPage>(wish, (window) =>
    api.offers.bulk.preview.queryOptions({
      input: { accountId: account.id, chosen, change: shown, window },
    }),
  )
  const summary = rows.page?.summary
  const seen = useSeenPlan(wish, rows.list === wish ? rows.page?.fingerprint : undefined)
  const [sendsBeyond, setSendsBeyond] = useState<string | null>(null)
  const beyondGuard = sendsBeyond === seen.fingerprint
  const isFinal = change.kind === 'withdraw' || change.kind === 'close'
  const changes = summary?.changes ?? 0
  const mustType = account.mode === 'live' && (isFinal || changes > BULK_CONFIRM_ABOVE)
  const start = useMutation(
    api.offers.bulk.start.mutationOptions({ onSuccess: onBegun, onError: rows.retry }),
  )
  const ready =
    changes > 0 &&
    !start.isPending &&
    seen.fingerprint !== undefined &&
    seen.moved === null &&
    (summary?.overGuard === 0 || beyondGuard) &&
    (asked.kind !== 'price' || how !== null) &&
    (!mustType || typed.trim() === String(changes))
  const words = confirmationTexts(change, count, changes, summary?.keys ?? 0)
  const submit = (): void => {
    const { fingerprint } = seen
    if (!ready || fingerprint === undefined) return
    void (async () => {
      if (isFinal && !(await openVault())) return
      start.mutate({
        accountId: account.id,
        chosen,
        change: shown,
        fingerprint,
        beyondGuard,
        typed: typed.trim() === '' ? null : typed.trim(),
      })
    })()
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
      title={words.title}
      lead={words.lead}
      note={
        mustType ? (
          <span className={styles.type}>
            <label htmlFor={field}>
              Type <b>{changes}</b> to continue.
            </label>
            <TextInput
              id={field}
              size="md"
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </span>
        ) : (
          undoNote(change)
        )
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind={isFinal ? 'final' : 'primary'}
            {...(ready && { keys: ['Ctrl', 'Enter'] })}
            busy={start.isPending}
            disabled={!ready && !start.isPending}
            onClick={submit}
          >
            {words.action}
          </Button>
        </>
      }
    >
      {asked.kind === 'price' ? (
        <div className={styles.rule}>
          <RepriceRule start={asked.how} onChange={setHow} />
          <Switch
            size="sm"
            checked={keepFloor}
            onChange={(event) => setKeepFloor(event.currentTarget.checked)}
            label="Never below the floor"
          />
        </div>
      ) : null}
      {summary === undefined ? null : (
        <div className={styles.sums}>
          <FigureStrip
            label="Summary"
            figures={[...figuresOf(change, summary), ...durationFigure(rows.page)]}
          />
        </div>
      )}
      {summary === undefined || change.kind !== 'price' ? null : (
        <PriceWarnings
          summary={summary}
          keepFloor={keepFloor}
          confirmed={beyondGuard}
          onConfirm={(sends) => setSendsBeyond(sends ? (seen.fingerprint ?? null) : null)}
        />
      )}
      {seen.moved === null ? null : <PlanMoves seen={seen} moved={seen.moved} />}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <PreviewTable rows={rows} what={isFinal ? 'keys' : 'prices'} />
    </Dialog>
  )
}

/** What a rule for many prices can easily hide. */
function PriceWarnings({
  summary,
  keepFloor,
  ...guard
}: { summary: BulkSummary; keepFloor: boolean } & GuardConfirmation) {
  return (
    <>
      <GuardWarning count={summary.overGuard} {...guard} />
      {keepFloor && summary.withoutFloor > 0 ? (
        <Notice
          tone="warn"
          title={t('screens.offers-without-floor', { count: summary.withoutFloor })}
        >
          “Never below the floor” doesn’t limit them. Enter a floor or a cost in the offer’s panel,
          or create a price rule.
        </Notice>
      ) : null}
    </>
  )
}

const undoNote = (change: BulkChange): string | undefined =>
  change.kind === 'price'
    ? 'You can undo this until the prices change again.'
    : change.kind === 'status'
      ? 'You can undo this.'
      : undefined

/** How long a change of many offers takes, before it starts. */
function durationFigure(page: PlanPage | undefined) {
  const duration = longDuration(page)
  return duration === null
    ? []
    : [
        {
          label: 'Takes about',
          value: duration,
          detail: `at ${formatCount(page?.requestsPerMinute ?? 0)} requests a minute`,
        },
      ]
}

function figuresOf(change: BulkChange, sum: BulkSummary) {
  const of = sum.changes + sum.stays + sum.leftOut
  const stays = { label: 'Unchanged', value: formatCount(sum.stays) }
  const leftOut =
    sum.leftOut === 0
      ? []
      : [{ label: 'Left out', value: formatCount(sum.leftOut), detail: 'see the lines' }]
  if (change.kind === 'withdraw' || change.kind === 'close')
    return [
      { label: 'Offers', value: formatCount(sum.changes) },
      { label: 'Keys to the vault', value: formatCount(sum.keys) },
      stays,
      ...leftOut,
    ]
  if (change.kind === 'status')
    return [{ label: 'Offers to change', value: formatCount(sum.changes) }, stays, ...leftOut]
  return [
    { label: 'Prices to change', value: formatCount(sum.changes) },
    {
      ...stays,
      ...((sum.notes['at-floor'] ?? 0) > 0 && {
        detail: `${formatCount(sum.notes['at-floor'] ?? 0)} at their floor`,
      }),
    },
    ...leftOut,
    {
      label: 'Certain to lead',
      value: formatCount(sum.leadingAfter),
      detail: `of ${formatCount(of)}, now ${formatCount(sum.leadingNow)}`,
    },
    {
      label: 'Average change',
      value: formatCents(sum.averageCents, { sign: true }),
      detail: 'EUR per key',
    },
    {
      label: 'Largest change',
      value: formatCents(sum.biggestCents, { sign: true }),
      detail: 'EUR',
    },
  ]
}
