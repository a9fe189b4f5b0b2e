import { t } from '../../../contract/localization/localized.ts'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import { type Cents, formatEuros } from '../../../../server/api/money.ts'

/** The parts of the dossier besides the dispute itself. */
export type DossierParts = {
  account: string
  secrets: boolean
  at: number
  conversation: readonly {
    author: string | null
    at: string
    body: string | null
    attachments: readonly { file: string | null; contentType: string; bytes: number }[]
  }[]
}

export const iso = (at: number | null): string =>
  at === null ? 'unknown' : new Date(at).toISOString()
const euros = (amount: Cents | null): string =>
  amount === null ? 'unknown' : `EUR ${formatEuros(amount)}`
/** Text of other people in Markdown, quoted line by line, so that no part of it reads as ours. */
const quoted = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `>     ${line}`)
    .join('\n')

function originOf({ origin }: DisputeDetail): string {
  if (origin === null) return 'not known on this computer'
  return [
    origin.fileName,
    `line ${origin.line}`,
    origin.batchName,
    ...(origin.supplier === '' ? [] : [`from ${origin.supplier}`]),
    ...(origin.costCents === null ? [] : [`for ${euros(origin.costCents)}`]),
  ].join(', ')
}

function othersOf({ earlier: { product, order, batch } }: DisputeDetail): string {
  return [
    `${product} for this product`,
    `${order} for this order`,
    ...(batch === null
      ? []
      : [`${batch.claimed} of ${t('counts.keys', { count: batch.keys })} of the batch`]),
  ].join(', ')
}

function factsOf(detail: DisputeDetail): [label: string, value: string][] {
  const { sale, resolution, key } = detail
  return [
    [
      'Status',
      resolution === null
        ? detail.status
        : `${detail.status}: ${resolution.type}, ${iso(resolution.at)}`,
    ],
    ['Opened', iso(detail.openedAt)],
    ['Product', `${detail.name} (${detail.productId ?? 'unknown'})`],
    ['Order', detail.orderId ?? 'unknown'],
    ['Key', [detail.keyId ?? 'unknown', ...(key === null ? [] : [key.masked])].join(', ')],
    ['Sale', detail.saleId ?? 'unknown'],
    ['Sold', iso(sale?.soldAt ?? null)],
    ['Customer paid', euros(sale?.customerCents ?? null)],
    ['Seller receives', euros(sale?.priceCents ?? null)],
    ['Key came from', originOf(detail)],
    ['Other disputes', othersOf(detail)],
  ]
}

const messageLines = ({
  author,
  at,
  body,
  attachments,
}: DossierParts['conversation'][number]): string[] => [
  `### ${author ?? 'unknown'}, ${at}`,
  '',
  quoted(body ?? 'not readable: the vault is locked'),
  '',
  ...attachments.map(
    ({ file, contentType, bytes }) =>
      `- ${file ?? 'not included'} (${contentType.replace(/[^a-z/+-]/gi, '')}, ${bytes} bytes)`,
  ),
  '',
]

/** The dossier for people. */
export function dossierMarkdown(
  detail: DisputeDetail,
  { account, secrets, at, conversation }: DossierParts,
): string {
  const masking = secrets
    ? 'Texts are complete.'
    : 'Text that resembles a key is masked. Images are unchanged.'
  return [
    `# Dispute ${detail.disputeId}`,
    '',
    `Exported ${iso(at)} for ${account}. ${masking}`,
    '',
    '| | |',
    '| --- | --- |',
    ...factsOf(detail).map(([label, value]) => `| ${label} | ${value.replace(/[|\r\n]+/g, ' ')} |`),
    '',
    '## Messages',
    '',
    ...conversation.flatMap(messageLines),
    '## Actions from this computer',
    '',
    ...(detail.actions.length === 0
      ? ['None besides the messages.']
      : detail.actions.map(
          ({ kind, state, writtenAt, settledAt }) =>
            `- ${kind}: ${state}, written ${iso(writtenAt)}, settled ${iso(settledAt)}`,
        )),
    '',
  ].join('\n')
}
