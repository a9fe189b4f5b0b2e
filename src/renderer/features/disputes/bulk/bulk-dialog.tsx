import { NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import type {
  BulkReplyPlan,
  bulkOutcomes as Outcomes,
} from '../../../../contract/disputes/dispute-replies.ts'
import { templateFields } from '../../../../contract/disputes/dispute-records.ts'
import { bulkOutcomes } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../disputes.module.css'
import { recordHeldReplies } from '../sending/held-replies.ts'
import { languageName, outcomeWords } from '../words.ts'
import bulkStyles from './bulk.module.css'
import { BulkReview } from './bulk-review.tsx'

type BulkOutcome = (typeof Outcomes)[number]
const isBulkOutcome = (outcome: string): outcome is BulkOutcome =>
  bulkOutcomes.some((each) => each === outcome)

/** The languages of the customers with their numbers, the most frequent first; '' if unknown. */
function languagesOf(rows: readonly DisputeRow[]): { code: string; count: number }[] {
  const groups = Map.groupBy(rows, ({ language }) => language ?? '')
  return [...groups]
    .map(([code, { length: count }]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code, 'en'))
}

/** Plans the reply once it is written. */
function useReplyPlan(
  request: Parameters<typeof rpc.disputes.planBulkReply>[0],
  isWritten: boolean,
) {
  const [plan, setPlan] = useState<BulkReplyPlan | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const review = (): void => {
    if (!isWritten || plan !== null) return
    setProblem(null)
    void openVault()
      .then(async (opened) => {
        if (opened) setPlan(await rpc.disputes.planBulkReply(request))
      })
      .catch((error: unknown) => setProblem(problemOf(error)))
  }
  return { plan, problem, review, back: () => setPlan(null) }
}

/** One reply to several disputes: its outcome and texts, then everything it does, for confirmation. */
export function BulkDialog({
  account,
  rows,
  onClose,
  onSent,
}: {
  account: Account
  rows: readonly DisputeRow[]
  onClose: () => void
  onSent: () => void
}) {
  // What is answered stays the same while the list changes behind the dialog.
  const [disputes] = useState(rows)
  const [outcome, setOutcome] = useState<BulkOutcome>('reply')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const languages = languagesOf(disputes)
  const request = {
    accountId: account.id,
    disputeIds: disputes.map(({ disputeId }) => disputeId),
    outcome,
    texts,
  }
  const isWritten = languages.some(({ code }) => (texts[code] ?? '').trim() !== '')
  const { plan, problem, review, back } = useReplyPlan(request, isWritten)
  useShortcut('Ctrl+Enter', review, { where: 'dialog', enabled: plan === null })
  if (plan !== null)
    return (
      <BulkReview
        account={account}
        plan={plan}
        onBack={back}
        onSend={async (typed) => {
          recordHeldReplies(
            await rpc.disputes.sendBulkReply({
              ...request,
              planId: plan.planId,
              ...(typed === null ? {} : { typed }),
            }),
          )
          onSent()
        }}
      />
    )
  return (
    <Dialog
      opened
      onClose={onClose}
      account={account}
      title={t('screens.disputes-bulk-title', { count: disputes.length })}
      lead="One outcome for all, and one text per language of the customers."
      width={640}
      actions={<ReplyActions ready={isWritten} onReview={review} onClose={onClose} />}
    >
      <div className={bulkStyles.compose}>
        <OutcomeChoice outcome={outcome} onChoose={setOutcome} />
        <ReplyTexts
          accountId={account.id}
          languages={languages}
          texts={texts}
          onChange={setTexts}
          onOutcome={setOutcome}
        />
        {problem === null ? null : <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  )
}

function ReplyActions({
  ready,
  onReview,
  onClose,
}: {
  ready: boolean
  onReview: () => void
  onClose: () => void
}) {
  return (
    <>
      <Button size="md" keys={['Esc']} onClick={onClose}>
        Cancel
      </Button>
      <Button
        size="md"
        kind="primary"
        keys={['Ctrl', 'Enter']}
        disabled={!ready}
        onClick={onReview}
      >
        Review…
      </Button>
    </>
  )
}

/** The texts, from a template or typed. */
function ReplyTexts({
  accountId,
  languages,
  texts,
  onChange,
  onOutcome,
}: Parameters<typeof LanguageTexts>[0] & {
  accountId: string
  onOutcome: (outcome: BulkOutcome) => void
}) {
  return (
    <>
      <TemplateChoice
        accountId={accountId}
        onChoose={(chosen, bodies) => {
          if (isBulkOutcome(chosen)) onOutcome(chosen)
          onChange({ '': bodies['en'] ?? '', ...bodies })
        }}
      />
      <LanguageTexts languages={languages} texts={texts} onChange={onChange} />
      <p className={styles.note}>
        Fields are filled in for each dispute:{' '}
        {templateFields.map((field) => `{${field}}`).join(' ')}
      </p>
    </>
  )
}

/** One text per language of the customers. */
function LanguageTexts({
  languages,
  texts,
  onChange,
}: {
  languages: ReturnType<typeof languagesOf>
  texts: Readonly<Record<string, string>>
  onChange: (texts: Readonly<Record<string, string>>) => void
}) {
  return (
    <>
      {languages.map(({ code, count }, at) => (
        <Textarea
          key={code}
          label={[
            code === '' ? 'Language not known' : languageName(code),
            t('screens.disputes-customers', { count }),
          ].join(' · ')}
          rows={4}
          maxLength={10_000}
          dir="auto"
          value={texts[code] ?? ''}
          {...(at === 0 ? { 'data-autofocus': true } : {})}
          onChange={({ currentTarget: { value } }) => onChange({ ...texts, [code]: value })}
        />
      ))}
    </>
  )
}

function OutcomeChoice({
  outcome,
  onChoose,
}: {
  outcome: BulkOutcome
  onChoose: (outcome: BulkOutcome) => void
}) {
  return (
    <fieldset className={bulkStyles.outcomes}>
      <legend>Outcome for all</legend>
      {bulkOutcomes.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="bulk-outcome"
            checked={outcome === each}
            onChange={() => onChoose(each)}
          />
          {outcomeWords[each].choice}
        </label>
      ))}
    </fieldset>
  )
}

function TemplateChoice({
  accountId,
  onChoose,
}: {
  accountId: string
  onChoose: (outcome: string, bodies: Readonly<Record<string, string>>) => void
}) {
  const templates = useQuery(api.disputes.templates.queryOptions({ input: { accountId } })).data
  return (
    <NativeSelect
      label="Template"
      size="md"
      data={[
        { value: '', label: 'None' },
        ...(templates ?? []).map(({ templateId, name }) => ({ value: templateId, label: name })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const chosen = templates?.find(({ templateId }) => templateId === value)
        if (chosen !== undefined) onChoose(chosen.outcome, chosen.bodies)
      }}
    />
  )
}
