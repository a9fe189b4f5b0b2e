import { IconKey, IconMessage } from '@tabler/icons-react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatEur } from '../../../ui/format.ts'
import { effectsFor } from '../settle/effects.tsx'
import { unfilledFields } from '../words.ts'
import { UnfilledDialog } from './unfilled-dialog.tsx'
import type { AnswerText } from './use-answer-text.ts'
import type { ChosenOutcome } from './use-outcome.ts'
import type { Question, Sending } from './use-sending.ts'

const icon = { size: 16, stroke: 1.6 } as const

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
  const isKey = answer.promise !== 'refund'
  const { effects } = chosen
  return (
    <>
      <UnfilledDialog
        account={account}
        opened={sending.asking === 'unfilled'}
        unfilled={unfilledFields(answer.text)}
        onClose={() => close('unfilled')}
        onConfirm={() => void sending.send('unfilled')}
      />
      <ConfirmDialog
        opened={sending.asking === 'promise'}
        onClose={() => close('promise')}
        account={account}
        title={isKey ? 'Send without a key?' : 'Send without a refund?'}
        confirmLabel="Send answer only"
        cancelLabel="Back"
        effects={[
          {
            icon: <IconMessage {...icon} />,
            what: isKey ? 'Your text promises a new key.' : 'Your text promises a refund.',
            more: 'The template that it comes from sends it together with the answer.',
          },
          { icon: <IconKey {...icon} />, what: 'No key or money moves.' },
        ]}
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
