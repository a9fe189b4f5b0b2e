import { failure } from '../failure.ts'
import { pictureFault } from '../picture-size.ts'
import { pictureType } from '../picture-type.ts'
import { lookAt } from './answering.ts'
import { textRecords } from './schema.ts'
import type { DisputeDesk } from './taking.ts'

type Attachment = { contentType: string; base64: string }

/** The largest picture that is drawn, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024

const gone = () =>
  failure('NOT_FOUND', 'This attachment is not in the dispute.', 'Read the dispute again.')

/**
 * One attachment: from this machine while the dispute is unresolved, else from the service. Throws
 * Failure.
 */
export async function readAttachment(
  desk: DisputeDesk,
  disputeId: string,
  position: number,
  number: number,
): Promise<Attachment> {
  const { accountId, store, texts, context } = desk
  const kept = store
    .attachments(disputeId)
    .find((each) => each.position === position && each.number === number)
  if (kept === undefined) throw gone()
  const value = texts.open(
    accountId,
    textRecords.attachment(disputeId, position, number),
    kept.value_sealed,
  )
  if (value !== null) return shown(kept.content_type, value)
  const dispute = await lookAt(desk, context.connection(accountId), disputeId, 'person')
  const attachment = dispute.messages[position]?.attachments?.[number]
  if (attachment?.value === undefined) throw gone()
  return shown(attachment.contentType ?? kept.content_type, attachment.value)
}

/**
 * What comes from a customer is shown as what its first bytes say, never as what it claims to be.
 */
function shown(contentType: string, value: string): Attachment {
  if (contentType === 'text/plain')
    return { contentType, base64: Buffer.from(value).toString('base64') }
  const bytes = Buffer.from(value, 'base64')
  const type = pictureType(bytes)
  if (type === null)
    throw failure(
      'BAD_ATTACHMENT',
      'This attachment is neither a picture nor text.',
      'Ask the customer for a screenshot.',
    )
  const fault = pictureFault(type, bytes)
  if (fault === 'broken')
    throw failure('BAD_ATTACHMENT', 'This picture is broken.', 'Ask the customer for it again.')
  if (bytes.length > MOST_BYTES || fault === 'too-large')
    throw failure(
      'BAD_ATTACHMENT',
      'This picture is too large to be drawn here.',
      'Ask the customer for a smaller one.',
    )
  return { contentType: type, base64: bytes.toString('base64') }
}
