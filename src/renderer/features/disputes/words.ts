import type {
  DisputeEffects,
  DisputeRow,
  DisputeTemplate,
  KeyCheck,
  TemplateField,
} from '../../../contract/disputes/dispute-records.ts'
import type {
  DisputeActionKind,
  DisputeReply,
  ReplyOutcome,
} from '../../../contract/disputes/dispute-replies.ts'
import { templateFields } from '../../../contract/disputes/dispute-records.ts'
import { t } from '../../../contract/localization/localized.ts'
import { formatEur } from '../../ui/format.ts'
import { reasonWord } from '../../lib/labels/dispute-labels.ts'
import { productLine, type Variant, variantLabel } from '../../lib/labels/product-labels.ts'

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
/** The English name of a language by its ISO 639-1 code. */
export const languageName = (code: string): string => languageNames.of(code) ?? code

/** Languages in which a template has a text. */
export const templateLanguages = ({ bodies }: Pick<DisputeTemplate, 'bodies'>): string[] =>
  Object.keys(bodies).filter((code) => (bodies[code] ?? '') !== '')

/**
 * Whether a person must choose the language of a reply: the template has none in the customer's
 * language, or that language isn't known. A template with a single text leaves no choice if the
 * language isn't known.
 */
export function needsLanguageChoice(
  template: Pick<DisputeTemplate, 'bodies'>,
  language: string | null,
): boolean {
  const known = templateLanguages(template)
  return language === null ? known.length > 1 : known.length > 0 && !known.includes(language)
}

export const groupWords = {
  'needs-answer': { title: 'Needs an answer', beside: 'time left' },
  waiting: { title: 'Waiting for the customer', beside: 'last answer' },
  escalated: { title: 'Escalated to support', beside: '' },
  resolved: { title: 'Resolved', beside: '' },
} as const

export const actionWords: Readonly<
  Record<DisputeActionKind, { done: string; under: string; refused: string; unknown: string }>
> = {
  'replace-stock': {
    done: 'Replaced from stock',
    under: 'Being replaced from stock',
    refused: 'Not replaced from stock',
    unknown: 'Replacement not confirmed',
  },
  'replace-key': {
    done: 'Replaced with a typed key',
    under: 'Being replaced with a typed key',
    refused: 'Not replaced with the typed key',
    unknown: 'Replacement not confirmed',
  },
  refund: {
    done: 'Refunded',
    under: 'Being refunded',
    refused: 'Not refunded',
    unknown: 'Refund not confirmed',
  },
}

/** What is sent with an answer: `choice` chooses it, `send` names the button. */
export const outcomeWords: Readonly<Record<ReplyOutcome, { choice: string; send: string }>> = {
  reply: { choice: 'Answer only', send: 'Send answer' },
  'replace-stock': { choice: 'Key from stock', send: 'Send answer and 1 key' },
  'replace-key': { choice: 'Key you type', send: 'Send answer and this key' },
  refund: { choice: 'Refund', send: 'Send answer and refund' },
  close: { choice: 'Mark as done', send: 'Send answer and mark as done' },
}
/** The label of the button that sends an answer, with the amount of a refund. */
export const sendLabel = (outcome: ReplyOutcome, effects: DisputeEffects | undefined): string =>
  outcome === 'refund' && effects?.refundCents != null
    ? `${outcomeWords.refund.send} ${formatEur(effects.refundCents)}`
    : outcomeWords[outcome].send

type Answered = Pick<DisputeReply, 'answered'>
const countAnswered = (replies: readonly Answered[]): number =>
  replies.filter(({ answered }) => answered).length

/** Which part of held replies was sent: a retried one may have sent its answer before. */
export function heldNote(replies: readonly Answered[]): string {
  const count = countAnswered(replies)
  return count === 0
    ? 'Nothing has been sent yet.'
    : t('screens.disputes-answers-sent-before', { count })
}

/** The message after held replies were undone. */
export function undoneWords(replies: readonly Answered[]): { title: string; text: string } {
  const count = replies.length
  const answered = countAnswered(replies)
  if (answered === 0)
    return {
      title: t('screens.disputes-not-sent', { count }),
      text: 'Your text is a draft again. No keys or money moved.',
    }
  const drafts = count - answered
  return {
    title: t('screens.disputes-retries-undone', { count }),
    text: t('screens.disputes-retries-undone-text', { answered, drafts }),
  }
}

/** The message after a dispute was marked as done, which several of them share. */
export const doneToast = (dispute: Variant & { name: string }) => ({
  title: `${dispute.name} marked as done`,
  text: `${productLine(dispute)}. It comes back when something new is written.`,
  group: {
    key: 'disputes-done',
    many: (count: number) => t('screens.disputes-marked-done', { count }),
  },
})

const outcomes: Readonly<Record<string, string>> = {
  replaced: 'Replaced with another key',
  refunded: 'Refunded',
  rejected: 'Rejected by support',
}
/**
 * How a dispute was resolved; a type that this version doesn't know is shown as the service reports
 * it.
 */
export const outcomeWord = (type: string): string => outcomes[type] ?? type

const authors: Readonly<Record<string, string>> = {
  customer: 'Customer',
  seller: 'Your shop',
  support: 'Support',
}
/** `own`: whether this computer sent the seller's message; null if that isn't known. */
export function authorWord(author: string | null, own: boolean | null): string {
  if (author === null) return 'Unknown'
  if (own === true) return 'You'
  return own === false ? 'Your shop, sent elsewhere' : (authors[author] ?? author)
}

export const findingWords: Readonly<Record<KeyCheck['findings'][number], string>> = {
  blank: 'Type a key.',
  'too-long': 'It’s longer than 4,096 characters.',
  'control-characters': 'It contains characters that no key has.',
  'spreadsheet-damage': 'A spreadsheet damaged it: the key can’t be restored.',
  cleaned: 'Spaces or quotes around it are removed.',
  confusable: 'It mixes similar-looking letters of different alphabets.',
  'odd-shape': 'Keys for this platform usually have another format.',
  uploaded: 'It was already uploaded for this product.',
  sent: 'It was already sent to a customer.',
  claimed: 'A customer dispute is about this key.',
}

/** Why a template field has no value. */
export const missingWords: Readonly<Partial<Record<TemplateField, string>>> = {
  last4: 'Keydesk doesn’t know how the key ends.',
  platform: 'the product isn’t in the catalogue on this computer.',
  order: 'the service doesn’t report the order.',
  sale: 'the service doesn’t report the sale.',
}

/** Template fields that a text still contains. */
export const unfilledFields = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\{(\w+)\}/g)].flatMap(([field, name]) =>
      templateFields.some((each) => each === name) ? [field] : [],
    ),
  ),
]

const unseen =
  // oxlint-disable-next-line no-control-regex -- it removes these characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
/** Marks piled on one letter beyond this number take rendering time and carry no meaning. */
const piled = /(\p{M}{8})\p{M}+/gu
/**
 * Text of other people for the screen: characters that turn or hide text are named instead of
 * obeyed.
 */
export const safeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(piled, '$1⟨…⟩')
    .replace(
      unseen,
      (character) =>
        `⟨${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}⟩`,
    )

/** What tells a dispute apart from others of its product: edition, amount and order. */
export const factsOf = (
  dispute: Variant & Pick<DisputeRow, 'customerCents' | 'orderId'>,
): string => {
  const { customerCents, orderId } = dispute
  return [
    variantLabel(dispute),
    customerCents === null ? '' : formatEur(customerCents),
    orderId ?? '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/** One line about a dispute for the list. */
export function summaryOf(row: DisputeRow): string {
  if (row.pendingAction === 'unknown' || row.pendingAnswer === 'unknown') return 'Not confirmed'
  if (row.pendingAction === 'sending' || row.pendingAnswer === 'sending') return 'Sending'
  if (row.pendingAction === 'refused' || row.pendingAnswer === 'refused')
    return 'Not sent: view details'
  if (row.pendingReply === 'held') return 'Reply held, can be undone'
  if (row.pendingReply === 'sending') return 'Sending'
  // Its answer may have been sent.
  if (row.pendingReply === 'failed') return 'Reply failed: view details'
  if (row.waits) return 'Answer queued'
  if (row.status === 'resolved')
    return row.resolution === null ? 'Resolved' : outcomeWord(row.resolution.type)
  if (row.hasDraft) return 'Draft'
  if (row.reason === null)
    return row.reasonKind === null ? 'Not read yet' : reasonWord(row.reasonKind)
  const line = safeText(row.reason.slice(0, 160)).replace(/\s+/g, ' ')
  return [
    ...(row.lastAuthor === 'seller' ? ['Answered'] : []),
    ...(row.reasonKind === null || row.reasonKind === 'other' ? [] : [reasonWord(row.reasonKind)]),
    line,
  ].join(' · ')
}
