import { IconBraces, IconKey, IconMessage } from '@tabler/icons-react'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import type { ConfirmDialogProps, Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { effectsFor } from '../settle/effects.tsx'
import { sendLabel } from '../words.ts'
import type { ChosenOutcome } from './use-outcome.ts'

type Asked = Pick<
  ConfirmDialogProps,
  'title' | 'effects' | 'confirmLabel' | 'cancelLabel' | 'destructive'
>
type Sent = Pick<ChosenOutcome, 'outcome' | 'kind' | 'effects'>

const icon = { size: 16, stroke: 1.6 } as const

/** The effects of the action sent with the answer; without one, that nothing moves. */
const movesOf = ({ kind, effects }: Sent): Effect[] =>
  kind === null
    ? [{ icon: <IconKey {...icon} />, what: 'No key or money moves.' }]
    : effectsFor(kind, effects)

/** The label of the button that sends the action too; `alone` for an answer without an action. */
const labelOf = ({ kind, outcome, effects }: Sent, alone: string): string =>
  kind === null ? alone : sendLabel(outcome, effects)

/** Asks before an answer is sent that still contains template fields. */
export const unfilledQuestion = (unfilled: readonly string[], sent: Sent): Asked => ({
  title: `Send with ${unfilled.join(', ')} not filled in?`,
  confirmLabel: labelOf(sent, 'Send anyway'),
  cancelLabel: 'Fill in',
  destructive: sent.kind === 'refund',
  effects: [
    {
      icon: <IconBraces {...icon} />,
      what: 'The customer sees the name of the field.',
      more: 'Keydesk doesn’t have a value for it.',
    },
    { icon: <IconMessage {...icon} />, what: 'Sent answers can’t be changed.' },
    ...movesOf(sent),
  ],
})

/** Asks before an answer is sent without what its template promises. */
export const promiseQuestion = (promise: ReplyOutcome | null, sent: Sent): Asked => {
  const isKey = promise !== 'refund'
  return {
    title: isKey ? 'Send without a key?' : 'Send without a refund?',
    confirmLabel: labelOf(sent, 'Send answer only'),
    cancelLabel: 'Back',
    destructive: sent.kind === 'refund',
    effects: [
      {
        icon: <IconMessage {...icon} />,
        what: isKey ? 'Your text promises a new key.' : 'Your text promises a refund.',
        more: 'The template that it comes from sends it together with the answer.',
      },
      ...movesOf(sent),
    ],
  }
}
