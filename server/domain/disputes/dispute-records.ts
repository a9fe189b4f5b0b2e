import { ApiError } from '../../api/errors.ts'
import type { Context } from '../context.ts'
import type {
  Attachment,
  DisputeRecord,
  MessageAuthor,
  MessageRecord,
} from '../ports/selling/disputes.ts'
import type { Repositories } from '../ports/repositories.ts'

/** Any dispute. NOT_FOUND when it doesn't exist. */
export function disputeOf({ disputes }: Repositories, id: string): DisputeRecord {
  const dispute = disputes.find(id)
  if (!dispute) throw new ApiError('NOT_FOUND', 'Dispute not found.')
  return dispute
}

/** Throws DISPUTE_RESOLVED, because a resolution is final. */
export function checkUnresolved({ status }: DisputeRecord): void {
  if (status === 'resolved') throw new ApiError('DISPUTE_RESOLVED')
}

/** Adds a message to a dispute by its row number. */
export function writeMessage(
  { store, ids }: Context,
  no: number,
  author: MessageAuthor,
  body: string,
  at: number,
  attachments: Attachment[] = [],
): MessageRecord {
  const message = { id: ids.next('msg'), author, body, createdAt: at, attachments }
  store.disputes.addMessage(no, message)
  return message
}
