import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
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
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { FigureStrip } from '../../../ui/data-display/facts.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { durationFigure, figuresOf } from './bulk-figures.ts'
import { confirmationTexts } from './bulk-texts.ts'
import styles from '../parts.module.css'
import { GuardWarning } from './guard-warning.tsx'
import type { GuardConfirmation } from './guard-warning.tsx'
import { PlanMoves, useConfirmedPlan } from './plan-moves.tsx'
import { PreviewTable } from './preview-table.tsx'
import { RepriceRule } from './reprice-rule.tsx'
import { TypedCount } from './typed-count.tsx'

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

/** The change made to each offer. The rule for prices can be edited. */
function useEditedChange(asked: BulkChange) {
  const [how, setHow] = useState<Reprice | null>(asked.kind === 'price' ? asked.how : null)
  const [keepFloor, setKeepFloor] = useState(true)
  const change: BulkChange =
    asked.kind === 'price'
      ? { kind: 'price', how: how ?? { by: 'amount', cents: ZERO }, keepFloor }
      : asked
  return {
    change,
    isComplete: asked.kind !== 'price' || how !== null,
    setHow,
    keepFloor,
    setKeepFloor,
  }
}

/** The lines of the plan, as soon as typing pauses. */
function usePreview(chosen: Selection, change: BulkChange) {
  const { id: accountId } = useAccount()
  const shown = useDeferredValue(change)
  const wish = JSON.stringify([accountId, chosen, shown])
  const rows = usePagedRows<BulkLine, PlanPage>(
    wish,
    (window) =>
      api.offers.bulk.preview.queryOptions({ input: { accountId, chosen, change: shown, window } }),
    (line) => line.subjectId,
  )
  return { shown, wish, rows }
}

function EditedRule({
  start,
  setHow,
  keepFloor,
  setKeepFloor,
}: { start: Reprice } & Omit<ReturnType<typeof useEditedChange>, 'change' | 'isComplete'>) {
  return (
    <div className={styles.rule}>
      <RepriceRule start={start} onChange={setHow} />
      <Switch
        size="sm"
        checked={keepFloor}
        onChange={(event) => setKeepFloor(event.currentTarget.checked)}
        label="Never below the floor"
      />
    </div>
  )
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
  const { change, isComplete, ...rule } = useEditedChange(asked)
  const { shown, wish, rows } = usePreview(chosen, change)
  const summary = rows.page?.summary
  const isFinal = change.kind === 'withdraw' || change.kind === 'close'
  const changes = summary?.changes ?? 0
  const mustType = account.mode === 'live' && (isFinal || changes > BULK_CONFIRM_ABOVE)
  const start = useMutation(
    api.offers.bulk.start.mutationOptions({ onSuccess: onBegun, onError: rows.retry }),
  )
  const plan = useConfirmedPlan(wish, rows, {
    changes,
    overGuard: summary?.overGuard ?? 0,
    mustType,
  })
  const { seen, confirmation } = plan
  const ready = confirmation !== null && !start.isPending && isComplete
  const words = confirmationTexts(change, count, changes, summary?.keys ?? 0)
  const submit = (): void => {
    if (!ready || confirmation === null) return
    void (async () => {
      if (isFinal && !(await openVault())) return
      start.mutate({ accountId: account.id, chosen, change: shown, ...confirmation })
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
          <TypedCount count={changes} typed={plan.typed} onType={plan.setTyped} />
        ) : (
          undoNote(change)
        )
      }
      actions={
        <SubmitActions
          kind={isFinal ? 'final' : 'primary'}
          ready={ready}
          busy={start.isPending}
          onCancel={onClose}
          onSubmit={submit}
        >
          {words.action}
        </SubmitActions>
      }
    >
      {asked.kind === 'price' ? <EditedRule start={asked.how} {...rule} /> : null}
      {rows.page === undefined ? null : (
        <PlanSummary
          change={change}
          page={rows.page}
          keepFloor={rule.keepFloor}
          guard={plan.guard}
        />
      )}
      {seen.moved === null ? null : <PlanMoves seen={seen} moved={seen.moved} />}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <PreviewTable rows={rows} what={isFinal ? 'keys' : 'prices'} />
    </Dialog>
  )
}

/** The totals of the plan, and the warnings before it starts. */
function PlanSummary({
  change,
  page,
  keepFloor,
  guard,
}: {
  change: BulkChange
  page: PlanPage
  keepFloor: boolean
  guard: GuardConfirmation
}) {
  return (
    <>
      <div className={styles.sums}>
        <FigureStrip
          label="Summary"
          figures={[...figuresOf(change, page.summary), ...durationFigure(page)]}
        />
      </div>
      {change.kind === 'price' ? (
        <PriceWarnings summary={page.summary} keepFloor={keepFloor} {...guard} />
      ) : null}
    </>
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
