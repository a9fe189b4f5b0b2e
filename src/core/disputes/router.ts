import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Disputes } from './disputes.ts'

/** How disputes answer the contract. */
export function createDisputesRouter(disputes: Disputes) {
  const os = implement(contract.disputes)
  return os.router({
    list: os.list.handler(({ input }) => disputes.list(input)),
    dispute: os.dispute.handler(({ input }) => disputes.dispute(input)),
    markRead: os.markRead.handler(({ input }) => disputes.markRead(input)),
    draft: os.draft.handler(({ input }) => disputes.draft(input)),
    answer: os.answer.handler(({ input }) => disputes.answer(input)),
    dismiss: os.dismiss.handler(({ input }) => disputes.dismiss(input)),
    attachment: os.attachment.handler(({ input }) => disputes.attachment(input)),
  })
}
