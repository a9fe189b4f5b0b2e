import type { Database } from 'better-sqlite3'

/** A message as stored. */
export type MessageRecord = {
  position: number
  author: string | null
  body_sealed: Buffer | null
  at: number | null
}
/** A file of a message as stored. */
export type AttachmentRecord = {
  position: number
  number: number
  content_type: string
  bytes: number
  value_sealed: Buffer | null
}
/** A complete conversation. `others`: number of messages that aren't the seller's. */
export type Conversation = {
  messages: readonly MessageRecord[]
  attachments: readonly AttachmentRecord[]
  others: number
  bodies: boolean
}

/** The messages of disputes and their files, with the numbers about them in the list of disputes. */
export function createConversationStore(db: Database) {
  const dropMessages = db.prepare('DELETE FROM dispute_messages WHERE dispute_id = :disputeId')
  const dropAttachments = db.prepare(
    'DELETE FROM dispute_attachments WHERE dispute_id = :disputeId',
  )
  const addMessage = db.prepare(
    `INSERT INTO dispute_messages (dispute_id, position, author, body_sealed, at) VALUES (:disputeId,
      :position, :author, :body_sealed, :at)`,
  )
  const addAttachment =
    db.prepare(`INSERT INTO dispute_attachments (dispute_id, position, number, content_type, bytes, value_sealed)
    VALUES (:disputeId, :position, :number, :content_type, :bytes, :value_sealed)`)
  const setConversation =
    db.prepare(`UPDATE disputes SET stale = :stale, read_at = :readAt, messages = :messages,
      last_author = :lastAuthor, last_at = :lastAt,
    others = :others, attachments = :attachments, first_answer_at = :firstAnswerAt,
      customer_at = :customerAt, bodies = :bodies WHERE dispute_id = :disputeId`)
  const messages = db.prepare<{ disputeId: string }, MessageRecord>(
    'SELECT position, author, body_sealed, at FROM dispute_messages WHERE dispute_id = :disputeId ORDER BY position',
  )
  const attachments = db.prepare<{ disputeId: string }, AttachmentRecord>(`
    SELECT position, number, content_type, bytes, value_sealed FROM dispute_attachments
      WHERE dispute_id = :disputeId ORDER BY position, number`)

  function drop(disputeId: string): void {
    dropMessages.run({ disputeId })
    dropAttachments.run({ disputeId })
  }

  return {
    drop,
    /** Replaces the messages of a dispute. */
    put(disputeId: string, conversation: Conversation, readAt: number): void {
      drop(disputeId)
      for (const message of conversation.messages) addMessage.run({ disputeId, ...message })
      for (const attachment of conversation.attachments)
        addAttachment.run({ disputeId, ...attachment })
      const last = conversation.messages.at(-1)
      setConversation.run({
        disputeId,
        readAt,
        stale: 0,
        messages: conversation.messages.length,
        lastAuthor: last?.author ?? null,
        lastAt: last?.at ?? null,
        firstAnswerAt: conversation.messages.find(({ author }) => author === 'seller')?.at ?? null,
        customerAt:
          conversation.messages.findLast(({ author }) => author === 'customer')?.at ?? null,
        others: conversation.others,
        attachments: conversation.attachments.length,
        bodies: Number(conversation.bodies),
      })
    },
    reads: {
      messages: (disputeId: string): MessageRecord[] => messages.all({ disputeId }),
      attachments: (disputeId: string): AttachmentRecord[] => attachments.all({ disputeId }),
    },
  }
}
