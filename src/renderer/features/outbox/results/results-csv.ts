import { type Cents, plainEuros } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import { formatMessage } from '../../../../contract/localization/localized.ts'
import type { OutboxEntry } from '../../../../contract/outbox.ts'

/** What became of a queued change that a person sent. */
export function resultOf({ state, verdict, problem }: OutboxEntry): string {
  if (state === 'sent') return 'Sent'
  if (state === 'unknown' || state === 'sending') return 'Not confirmed, Keydesk is checking'
  if (state === 'dropped') return 'Discarded'
  if (problem !== null) return 'Rejected'
  return verdict === 'decide' || verdict === 'gone' ? 'Needs your decision' : 'Not sent'
}

/** Why a queued change wasn't sent; an empty text if it was. */
export const reasonOf = ({ problem, reason }: OutboxEntry): string =>
  problem?.what ?? (reason === null ? '' : formatMessage(reason))

/** A rejected change that is unchanged on the service, so that it can be sent again unchanged. */
export const canRetry = ({ state, verdict, problem }: OutboxEntry): boolean =>
  state === 'waiting' && verdict === 'ready' && problem !== null

const money = (cents: Cents | null): string => (cents === null ? '' : plainEuros(cents))

/** The results as CSV, a row per change. An answer's text and keys are never part of it. */
export const resultsCsv = (entries: readonly OutboxEntry[]): string =>
  csvText([
    [
      'Id',
      'Kind',
      'Subject id',
      'Subject',
      'Details',
      'Price before EUR',
      'Price wanted EUR',
      'Status wanted',
      'Result',
      'Reason',
      'Next step',
    ],
    ...entries.map((entry) => [
      entry.entryId,
      entry.kind,
      entry.subjectId,
      entry.title,
      entry.subtitle,
      money(entry.seen.priceCents),
      money(entry.wanted.priceCents),
      entry.wanted.status,
      resultOf(entry),
      reasonOf(entry),
      entry.problem?.next ?? '',
    ]),
  ])
