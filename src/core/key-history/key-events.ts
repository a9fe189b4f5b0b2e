import { t } from '../../contract/localization/localized.ts'
import type { Database } from 'better-sqlite3'
import type { KeyOrigin } from '../../contract/keys/batches.ts'
import type { KeyEvent } from '../../contract/keys/key-history.ts'
import type { SaleRow } from '../../contract/sales.ts'
import { type Cents, formatEuros } from '../../../server/api/money.ts'
import type { Claim } from '../disputes/disputes.ts'
import { importedRequest } from '../key-import/key-import.ts'
import type { KeyRecord } from '../key-import/key-import.ts'

type Known = {
  db: Database
  uploads: readonly { record: KeyRecord; origin: KeyOrigin }[]
  sales: readonly SaleRow[]
  claims: readonly Claim[]
}

const euros = (value: Cents | null): string =>
  value === null ? 'an unknown amount' : formatEuros(value)
const days = (from: number, to: number): string => {
  const minutes = Math.max(0, Math.round((to - from) / 60_000))
  if (minutes < 120) return t('counts.minutes', { count: minutes })
  return minutes < 48 * 60
    ? t('counts.hours', { count: Math.round(minutes / 60) })
    : t('counts.days', { count: Math.round(minutes / 1440) })
}

/** Returns all events of a key, oldest first. Future events come last. */
export function keyEvents(known: Known): KeyEvent[] {
  const { uploads, sales, claims } = known
  const events = [
    ...uploads.flatMap(({ record, origin }, index) =>
      uploadEvents(known, record, origin, index === 0),
    ),
    ...sales.flatMap((sale) =>
      saleEvents(
        sale,
        uploads.findLast(
          ({ record }) => record.at !== null && sale.soldAt !== null && record.at <= sale.soldAt,
        )?.record ?? null,
      ),
    ),
    ...claims.flatMap((claim) =>
      claimEvents(claim, sales.find(({ saleId }) => saleId === claim.saleId) ?? null),
    ),
  ]
  const rank = ({ kind }: KeyEvent): number => (kind === 'next' ? 1 : 0)
  return events
    .map((event, place) => ({ event, place }))
    .sort(
      (a, b) =>
        rank(a.event) - rank(b.event) || (a.event.at ?? 0) - (b.event.at ?? 0) || a.place - b.place,
    )
    .map(({ event }) => event)
}

function uploadEvents(
  { db }: Known,
  record: KeyRecord,
  origin: KeyOrigin,
  first: boolean,
): KeyEvent[] {
  return [
    ...readEvents(record, origin, first),
    ...outcomeEvents(record.fate, origin, requestCounts(db, record)),
    ...withdrawalEvents(record),
  ]
}

/** The key was read from a file, for the first time or again. */
const readEvents = (record: KeyRecord, origin: KeyOrigin, first: boolean): KeyEvent[] => [
  {
    at: origin.uploadedAt,
    kind: 'fact',
    title: `Read from ${origin.fileName}, line ${record.line.toLocaleString('en')}`,
    detail:
      origin.supplier === ''
        ? `${origin.batchName}.`
        : `${origin.batchName}, bought from ${origin.supplier}.`,
    knownFrom: 'console',
  },
  ...(first
    ? [
        {
          at: origin.uploadedAt,
          kind: 'fact',
          title: 'New key',
          detail: 'Its fingerprint is in no earlier upload from Keydesk.',
          knownFrom: 'console',
        } as const,
      ]
    : []),
]

/** The results of the key's request, in a sentence; empty if it has none. */
function requestCounts(db: Database, record: KeyRecord): string {
  if (record.request === null) return ''
  const sent = importedRequest(db, record.importNumber, record.request)
  if (sent === null) return ''
  return (
    `Request with ${t('counts.keys', { count: sent.keys })}: ` +
    `${sent.added.toLocaleString('en')} added, ${t('counts.duplicates', { count: sent.duplicates })}.`
  )
}

/** The result of a key's upload. */
function outcomeEvents(
  fate: KeyRecord['fate'],
  { uploadedAt: at, importNumber, offerName, offerId }: KeyOrigin,
  counts: string,
): KeyEvent[] {
  const upload = `import ${importNumber}`
  const knownFrom = 'both'
  switch (fate) {
    case 'added':
      return [
        { at, kind: 'done', title: `Uploaded with ${upload}`, detail: counts, knownFrom },
        {
          at,
          kind: 'fact',
          title: `In stock on ${offerName}`,
          detail: `Offer ${offerId}.`,
          knownFrom,
        },
      ]
    case 'unsure':
      return [
        {
          at,
          kind: 'done',
          title: `Sent with ${upload}`,
          detail:
            counts === ''
              ? 'The import was canceled before the response arrived, so this key may or may not be on the offer.'
              : `${counts} The service reports only counts, so this key was either added or a duplicate.`,
          knownFrom,
        },
      ]
    case 'duplicate':
      return [
        {
          at,
          kind: 'fact',
          title: `Skipped in ${upload}`,
          detail: `The service already had this key, from you or another seller. ${counts}`,
          knownFrom,
        },
      ]
    case 'refused':
      return [
        {
          at,
          kind: 'claim',
          title: `Rejected in ${upload}`,
          detail: 'The service rejected the request. You can still export the key from Keydesk.',
          knownFrom,
        },
      ]
    case 'excluded':
      return [
        {
          at,
          kind: 'fact',
          title: `Excluded from ${upload}`,
          detail:
            'The response was lost and you excluded the request, so this key may or may not be on ' +
            'the offer. You can still export the key from Keydesk.',
          knownFrom: 'console',
        },
      ]
  }
}

/** Only keys that can be in stock can be withdrawn. */
const withdrawalEvents = ({ fate, goneAt }: KeyRecord): KeyEvent[] =>
  goneAt === null || (fate !== 'added' && fate !== 'unsure')
    ? []
    : [
        {
          at: goneAt,
          kind: 'fact',
          title: 'Withdrawn from the offer',
          detail: 'It is in the vault on this computer.',
          knownFrom: 'both',
        },
      ]

function saleEvents(sale: SaleRow, uploaded: KeyRecord | null): KeyEvent[] {
  const waited =
    uploaded?.at == null || sale.soldAt === null
      ? ''
      : ` It was in stock for ${days(uploaded.at, sale.soldAt)}.`
  const paid = sale.customerCents === null ? '' : `, customer paid ${euros(sale.customerCents)}`
  const sold: KeyEvent = {
    at: sale.soldAt,
    kind: 'done',
    title: `Sold for ${euros(sale.priceCents)}${paid}`,
    detail: `Sale ${sale.saleId}${sale.orderId === null ? '' : `, order ${sale.orderId}`}.${waited}`,
    knownFrom: 'key-hash',
  }
  if (sale.status === 'released')
    return [
      sold,
      {
        at: sale.releasedAt,
        kind: 'done',
        title: 'Paid out',
        detail: `EUR ${euros(sale.priceCents)} are available.`,
        knownFrom: 'service',
      },
    ]
  if (sale.status === 'cancelled')
    return [
      sold,
      {
        at: null,
        kind: 'fact',
        title: 'Sale canceled',
        detail: 'The customer was refunded.',
        knownFrom: 'service',
      },
    ]
  return [
    sold,
    ...(sale.releaseAt === null || sale.held
      ? []
      : [
          {
            at: sale.releaseAt,
            kind: 'next',
            title: 'Payout due',
            detail: 'Unless a claim holds the money.',
            knownFrom: 'service',
          } as const,
        ]),
  ]
}

function claimEvents(claim: Claim, sale: SaleRow | null): KeyEvent[] {
  const after =
    claim.openedAt === null || sale?.soldAt == null
      ? ''
      : `${days(sale.soldAt, claim.openedAt)} after the sale. `
  const opened: KeyEvent = {
    at: claim.openedAt,
    kind: 'claim',
    title: 'Claimed by the customer',
    detail: `${after}Dispute ${claim.disputeId}.`,
    knownFrom: 'key-hash',
  }
  const wrote: KeyEvent[] =
    claim.lastAt === null || claim.lastAt === claim.openedAt
      ? []
      : [
          {
            at: claim.lastAt,
            kind: 'fact',
            title:
              claim.lastAuthor === 'seller'
                ? 'You answered'
                : claim.lastAuthor === 'support'
                  ? 'Support replied'
                  : 'The customer wrote again',
            detail: '',
            knownFrom: 'service',
          },
        ]
  const ends: Record<string, string> = {
    replaced: 'Replaced with a new key',
    refunded: 'Refunded',
    rejected: 'Rejected by support',
  }
  if (claim.status === 'resolved')
    return [
      opened,
      ...wrote,
      {
        at: claim.resolvedAt,
        kind: 'done',
        title: ends[claim.resolution ?? ''] ?? 'Resolved',
        detail: '',
        knownFrom: 'service',
      },
    ]
  return [
    opened,
    ...wrote,
    ...(claim.status !== 'open' || claim.escalatesAt === null
      ? []
      : [
          {
            at: claim.escalatesAt,
            kind: 'next',
            title: 'Escalates to support',
            detail: 'Unless you answer, replace or refund first.',
            knownFrom: 'escalates-at',
          } as const,
        ]),
  ]
}
