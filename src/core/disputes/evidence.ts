import type { DisputeDetail } from '../../contract/dispute-records.ts'
import { cents, formatEuros } from '../../../server/api/money.ts'
import { archiveOf } from './archive.ts'
import type { ArchiveFile } from './archive.ts'
import { maskTexts } from './keys-in-texts.ts'

export type Picture = { position: number; index: number; contentType: string; bytes: Buffer }
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'text/plain': 'txt',
}

const iso = (at: number | null): string => (at === null ? 'unknown' : new Date(at).toISOString())
const euros = (amount: number | null): string =>
  amount === null ? 'unknown' : `EUR ${formatEuros(cents(amount))}`
/** Text of other people in Markdown, quoted line by line, so that no part of it reads as ours. */
const quoted = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `>     ${line}`)
    .join('\n')

/**
 * The complete dossier of a dispute: Markdown for people, JSON for programs, and the images.
 * Without `secrets`, text that resembles a key is masked.
 */
export function evidenceOf(
  detail: DisputeDetail,
  pictures: readonly Picture[],
  { account, secrets, at }: { account: string; secrets: boolean; at: number },
): Buffer {
  const clean = (text: string | null): string | null =>
    text === null ? null : secrets ? text : maskTexts(text)
  const nameOf = ({
    position,
    index,
    contentType,
  }: Pick<Picture, 'position' | 'index' | 'contentType'>): string =>
    `message-${position + 1}-${index + 1}.${endings[contentType] ?? 'bin'}`
  const conversation = detail.conversation.map((message) => ({
    ...message,
    body: clean(message.body),
    at: iso(message.at),
    attachments: message.attachments.map((each) => {
      const found = pictures.find(
        ({ position, index }) => position === message.position && index === each.index,
      )
      return { ...each, file: found === undefined ? null : nameOf(found) }
    }),
  }))
  const files: ArchiveFile[] = [
    { name: 'dispute.md', bytes: Buffer.from(markdown()) },
    { name: 'dispute.json', bytes: Buffer.from(`${JSON.stringify(record(), null, 2)}\n`) },
    ...pictures.map((picture) => ({
      name: nameOf(picture),
      bytes:
        picture.contentType === 'text/plain' && !secrets
          ? Buffer.from(maskTexts(picture.bytes.toString()))
          : picture.bytes,
    })),
  ]
  return archiveOf(files, at)

  function record(): object {
    const {
      draft: _draft,
      pending: _pending,
      waiting: _waiting,
      conversation: _conversation,
      locked: _locked,
      key,
      ...facts
    } = detail
    return {
      exportedAt: iso(at),
      account,
      secretsMasked: !secrets,
      ...facts,
      key: key?.masked ?? null,
      reason: clean(detail.reason),
      conversation,
    }
  }
  function markdown(): string {
    const { sale, origin, earlier } = detail
    const told =
      origin === null
        ? 'not known on this computer'
        : `${origin.fileName}, line ${origin.line}, ${origin.batchName}${origin.supplier === '' ? '' : `, from ${origin.supplier}`}${origin.costCents === null ? '' : `, for ${euros(origin.costCents)}`}`
    return [
      `# Dispute ${detail.disputeId}`,
      '',
      `Exported ${iso(at)} for ${account}. ${secrets ? 'Texts are complete.' : 'Text that resembles a key is masked. Images are unchanged.'}`,
      '',
      '| | |',
      '| --- | --- |',
      ...(
        [
          [
            'Status',
            detail.resolution === null
              ? detail.status
              : `${detail.status}: ${detail.resolution.type}, ${iso(detail.resolution.at)}`,
          ],
          ['Opened', iso(detail.openedAt)],
          ['Product', `${detail.name} (${detail.productId ?? 'unknown'})`],
          ['Order', detail.orderId ?? 'unknown'],
          [
            'Key',
            [detail.keyId ?? 'unknown', ...(detail.key === null ? [] : [detail.key.masked])].join(
              ', ',
            ),
          ],
          ['Sale', detail.saleId ?? 'unknown'],
          ['Sold', iso(sale?.soldAt ?? null)],
          ['Customer paid', euros(sale?.customerCents ?? null)],
          ['Seller receives', euros(sale?.priceCents ?? null)],
          ['Key came from', told],
          [
            'Other disputes',
            `${earlier.product} for this product, ${earlier.order} for this order${earlier.batch === null ? '' : `, ${earlier.batch.claimed} of ${earlier.batch.keys} keys of the batch`}`,
          ],
        ] as const
      ).map(([label, value]) => `| ${label} | ${value.replace(/[|\r\n]+/g, ' ')} |`),
      '',
      '## Messages',
      '',
      ...conversation.flatMap(({ author, at: when, body, attachments }) => [
        `### ${author ?? 'unknown'}, ${when}`,
        '',
        quoted(body ?? 'not readable: the vault is locked'),
        '',
        ...attachments.map(
          ({ file, contentType, bytes }) =>
            `- ${file ?? 'not kept'} (${contentType.replace(/[^a-z/+-]/gi, '')}, ${bytes} bytes)`,
        ),
        '',
      ]),
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
}
