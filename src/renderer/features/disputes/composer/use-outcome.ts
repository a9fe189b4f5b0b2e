import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  DisputeDetail,
  DisputeEffects,
  KeyCheck,
} from '../../../../contract/disputes/dispute-records.ts'
import type {
  DisputeActionKind,
  ReplyOutcome,
} from '../../../../contract/disputes/dispute-replies.ts'
import { disputeActionKinds } from '../../../../contract/disputes/dispute-replies.ts'
import { api } from '../../../lib/core/rpc.ts'
import { useKeyCheck } from '../settle/typed-key.tsx'
import type { AnswerText } from './use-answer-text.ts'

/** The action of an outcome; null if nothing but an answer is sent. */
const actionOf = (outcome: ReplyOutcome): DisputeActionKind | null =>
  disputeActionKinds.find((kind) => kind === outcome) ?? null

/** Why an outcome can't be chosen now; null if it can. */
export function outcomeObstacle(
  outcome: ReplyOutcome,
  { offer, alarmsInStock }: Pick<DisputeDetail, 'offer' | 'alarmsInStock'>,
  canSend: boolean,
): string | null {
  if (outcome === 'reply') return null
  if (!canSend) return 'You need a connection. Offline, only an answer can be queued.'
  if (outcome !== 'replace-stock') return null
  if (alarmsInStock.length > 0) return 'Keys of a batch with an alarm are in stock.'
  return offer?.stock === 0 ? 'The offer has no keys in stock.' : null
}

/**
 * The outcome to preselect for a template: without a usable stock, a promised key has to be typed.
 */
export function outcomeFor(
  promised: ReplyOutcome,
  detail: Pick<DisputeDetail, 'offer' | 'alarmsInStock'>,
  canSend: boolean,
): ReplyOutcome {
  if (outcomeObstacle(promised, detail, canSend) === null) return promised
  return promised === 'replace-stock' && canSend ? 'replace-key' : 'reply'
}

/** Whether sending the answer this way would leave a template's promise unfulfilled. */
export function breaksPromise(promise: ReplyOutcome | null, outcome: ReplyOutcome): boolean {
  if (promise === null || actionOf(promise) === null) return false
  const isKey = (each: ReplyOutcome): boolean => each === 'replace-stock' || each === 'replace-key'
  return isKey(promise) ? !isKey(outcome) : outcome !== promise
}

export interface ChosenOutcome {
  outcome: ReplyOutcome
  kind: DisputeActionKind | null
  /** What the action would change; undefined while it is being read. */
  effects: DisputeEffects | undefined
  key: string
  setKey: (key: string) => void
  check: KeyCheck | null
  /** Whether everything that the action needs is known. */
  isReady: boolean
}

/** What is sent with the answer, and its effects. */
export function useOutcome(
  detail: DisputeDetail,
  { outcome }: Pick<AnswerText, 'outcome'>,
  canSend: boolean,
): ChosenOutcome {
  const { accountId, disputeId } = detail
  const kind = actionOf(outcome)
  const [key, setKey] = useState('')
  const check = useKeyCheck(detail, kind === 'replace-key' ? key : '')
  const effects = useQuery({
    ...api.disputes.effects.queryOptions({
      input: { accountId, disputeId, kind: kind ?? 'refund' },
    }),
    enabled: kind !== null,
  }).data
  const obstacle = effects?.obstacle ?? null
  const isPossible =
    kind === null || (effects !== undefined && (obstacle === null || obstacle === 'no-offer'))
  const hasKey = kind !== 'replace-key' || (key.trim() !== '' && check?.blocked === false)
  return {
    outcome,
    kind,
    effects: kind === null ? undefined : effects,
    key,
    setKey,
    check,
    isReady: outcomeObstacle(outcome, detail, canSend) === null && isPossible && hasKey,
  }
}
