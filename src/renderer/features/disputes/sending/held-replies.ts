import type { DisputeReply } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { forgetChange, recordChange } from '../../../ui/feedback/undo-history.ts'
import { undoneWords } from '../words.ts'

const namesOf = (replies: readonly DisputeReply[]): string =>
  [...new Set(replies.map(({ name }) => name))].join(', ')

/** Entries of the undo history by the replies that they take back. */
const entries = new Map<string, number>()
const keyOf = (replies: readonly DisputeReply[]): string =>
  replies.map(({ replyId }) => replyId).join(' ')

/** Takes back held replies. Texts that weren't sent become drafts again. False if that failed. */
export async function undoReplies(replies: readonly DisputeReply[]): Promise<boolean> {
  const [first] = replies
  if (first === undefined || !(await openVault())) return false
  try {
    await rpc.disputes.undoReplies({
      accountId: first.accountId,
      replyIds: replies.map(({ replyId }) => replyId),
    })
    toast({ id: 'undo', ...undoneWords(replies) })
    return true
  } catch (error) {
    toastProblem(problemOf(error), namesOf(replies))
    return false
  } finally {
    forgetReplies(replies)
  }
}

/** Sends held replies without waiting. */
export function sendReplies(replies: readonly DisputeReply[]): void {
  const [first] = replies
  if (first === undefined) return
  forgetReplies(replies)
  void rpc.disputes
    .sendReplies({
      accountId: first.accountId,
      replyIds: replies.map(({ replyId }) => replyId),
    })
    .catch((error: unknown) => toastProblem(problemOf(error), namesOf(replies)))
}

function forgetReplies(replies: readonly DisputeReply[]): void {
  const entry = entries.get(keyOf(replies))
  entries.delete(keyOf(replies))
  if (entry !== undefined) forgetChange(entry)
}

/** Ctrl+Z takes back these replies while they are held, on every page. */
export function recordHeldReplies(replies: readonly DisputeReply[]): void {
  const [first] = replies
  if (first === undefined) return
  const { id } = recordChange({
    title:
      replies.length === 1
        ? `Reply to ${first.name}`
        : t('screens.disputes-replies', { count: replies.length }),
    undo: () => undoReplies(replies),
  })
  entries.set(keyOf(replies), id)
  setTimeout(() => forgetReplies(replies), first.leftMs)
}
