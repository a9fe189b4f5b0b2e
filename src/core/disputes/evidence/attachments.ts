import { failure } from '../../failure.ts'
import { pictureProblem } from '../../picture-size.ts'
import { pictureType } from '../../picture-type.ts'
import { refreshDispute } from '../answers/send-answer.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

type Attachment = { contentType: string; base64: string }

/** The largest image that is shown, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024

const gone = () =>
  failure('NOT_FOUND', 'This attachment isn’t in the dispute.', 'Refresh the dispute.')

/**
 * One attachment: from this computer while the dispute is unresolved, otherwise from the service.
 * Throws Failure.
 */
export async function readAttachment(
  account: DisputeAccount,
  disputeId: string,
  position: number,
  number: number,
): Promise<Attachment> {
  const { accountId, store, texts, context } = account
  const kept = store
    .attachments(disputeId)
    .find((each) => each.position === position && each.number === number)
  if (kept === undefined) throw gone()
  // What is encrypted on this computer isn't shown in clear from the service either.
  context.vault.assertUnlocked()
  const value = texts.open(
    accountId,
    textRecords.attachment(disputeId, position, number),
    kept.value_sealed,
  )
  if (value !== null) return shown(kept.content_type, value)
  const dispute = await refreshDispute(account, context.connection(accountId), disputeId, 'person')
  const attachment = dispute.messages[position]?.attachments?.[number]
  if (attachment?.value === undefined) throw gone()
  return shown(attachment.contentType ?? kept.content_type, attachment.value)
}

/** The first bytes of a customer's file decide how it is shown, never its declared type. */
function shown(contentType: string, value: string): Attachment {
  if (contentType === 'text/plain')
    return { contentType, base64: Buffer.from(value).toString('base64') }
  const bytes = Buffer.from(value, 'base64')
  const type = pictureType(bytes)
  if (type === null)
    throw failure(
      'BAD_ATTACHMENT',
      'This attachment is neither an image nor text.',
      'Ask the customer for a screenshot.',
    )
  const fault = pictureProblem(type, bytes)
  if (fault === 'broken')
    throw failure('BAD_ATTACHMENT', 'This image is damaged.', 'Ask the customer to send it again.')
  if (bytes.length > MOST_BYTES || fault === 'too-large')
    throw failure(
      'BAD_ATTACHMENT',
      'This image is too large to show.',
      'Ask the customer for a smaller one.',
    )
  return { contentType: type, base64: bytes.toString('base64') }
}
