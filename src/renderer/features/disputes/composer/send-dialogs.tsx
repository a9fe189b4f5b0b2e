import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatEur } from '../../../ui/format.ts'
import { effectsFor } from '../settle/effects.tsx'
import { unfilledFields } from '../words.ts'
import { promiseQuestion, unfilledQuestion } from './questions.tsx'
import type { AnswerText } from './use-answer-text.ts'
import type { ChosenOutcome } from './use-outcome.ts'
import type { Question, Sending } from './use-sending.ts'

/** The questions before an answer is sent; one is open at a time. */
export function SendDialogs({
  account,
  detail,
  answer,
  chosen,
  sending,
  onClosed,
}: {
  account: Account
  detail: DisputeDetail
  answer: AnswerText
  chosen: ChosenOutcome
  sending: Sending
  onClosed: () => void
}) {
  // Confirming one question can raise the next one, which stays open.
  const close = (question: Question): void => {
    sending.setAsking((now) => (now === question ? null : now))
    setTimeout(onClosed)
  }
  const { effects } = chosen
  return (
    <>
      <ConfirmDialog
        opened={sending.asking === 'unfilled'}
        onClose={() => close('unfilled')}
        account={account}
        lead={productLine(detail)}
        {...unfilledQuestion(unfilledFields(answer.text), chosen)}
        onConfirm={async () => void sending.send('unfilled')}
      />
      <ConfirmDialog
        opened={sending.asking === 'promise'}
        onClose={() => close('promise')}
        account={account}
        lead={productLine(detail)}
        {...promiseQuestion(answer.promise, chosen)}
        onConfirm={async () => void sending.send('promise')}
      />
      {sending.asking === 'typed' && effects?.typed != null ? (
        <ConfirmDialog
          opened
          onClose={() => close('typed')}
          account={account}
          destructive
          title={`Answer and refund ${detail.name}?`}
          lead={productLine(detail)}
          effects={effectsFor('refund', effects)}
          confirmLabel={
            effects.refundCents === null
              ? 'Answer and refund'
              : `Answer and refund ${formatEur(effects.refundCents)}`
          }
          typed={{ text: effects.typed, verb: 'refund it' }}
          onConfirm={() => sending.send('typed')}
        />
      ) : null}
    </>
  )
}
