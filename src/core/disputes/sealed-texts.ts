import { instantOf } from '../mirror/mirror.ts'
import type { DisputesContext } from './context.ts'
import type { DisputeWithMessages } from './sync/facts.ts'
import { textRecords } from './schema.ts'
import type { AttachmentRecord, Conversation } from './conversation-store.ts'

/**
 * Texts of disputes, sealed by the vault. While it is locked, they are neither stored nor shown.
 */
export function createSealedTexts({ vault }: Pick<DisputesContext, 'vault'>) {
  const isOpen = (): boolean => {
    try {
      vault.assertUnlocked()
      return true
    } catch {
      return false
    }
  }
  const seal = (accountId: string, id: string, text: string): Buffer =>
    vault.seal(accountId, id, Buffer.from(text))
  return {
    isOpen,
    /** Throws Failure `VAULT_LOCKED` or `VAULT_UNSET`. */
    seal,
    /**
     * Null while the vault is locked, and for text that can't be opened: it can be read from the
     * service again.
     */
    open(accountId: string, id: string, sealed: Buffer | null): string | null {
      if (sealed === null || !isOpen()) return null
      try {
        return vault.open(accountId, id, sealed).toString()
      } catch {
        return null
      }
    },
    sealReason: (accountId: string, disputeId: string, reason: string | undefined): Buffer | null =>
      reason === undefined || !isOpen()
        ? null
        : seal(accountId, textRecords.reason(disputeId), reason),
    /** Fingerprint of the disputed key; null if the dispute doesn't name it. */
    fingerprint: (keySha256: string | undefined): Buffer | null =>
      keySha256 === undefined || !/^[0-9a-f]{64}$/.test(keySha256) || !isOpen()
        ? null
        : vault.fingerprint(Buffer.from(keySha256, 'hex')),
    /**
     * Messages and attachments in the form the mirror stores; attachment bytes only while the
     * dispute is unresolved.
     */
    conversation(
      accountId: string,
      disputeId: string,
      { messages, status }: DisputeWithMessages,
    ): Conversation {
      const bodies = isOpen()
      return {
        bodies,
        others: messages.filter(({ author }) => author !== 'seller').length,
        messages: messages.map(({ author, body, createdAt }, position) => ({
          position,
          author: author ?? null,
          at: instantOf(createdAt),
          body_sealed: bodies
            ? seal(accountId, textRecords.message(disputeId, position), body ?? '')
            : null,
        })),
        attachments: messages.flatMap(({ attachments }, position) =>
          (attachments ?? []).map(({ contentType, value }, number): AttachmentRecord => ({
            position,
            number,
            content_type: contentType ?? 'application/octet-stream',
            bytes: bytesOf(contentType ?? '', value ?? ''),
            value_sealed:
              bodies && status !== 'resolved'
                ? seal(accountId, textRecords.attachment(disputeId, position, number), value ?? '')
                : null,
          })),
        ),
      }
    },
  }
}
export type SealedTexts = ReturnType<typeof createSealedTexts>

const bytesOf = (contentType: string, value: string): number =>
  contentType.startsWith('image/') ? Buffer.byteLength(value, 'base64') : Buffer.byteLength(value)
