import type { DisputeDetail } from '../../contract/dispute-records.ts'
import { cents, formatEuros } from '../../../server/api/money.ts'
import { archiveOf } from './archive.ts'
import type { ArchiveFile } from './archive.ts'
import { maskTexts } from './keys-in-texts.ts'

type Picture = { position: number; index: number; contentType: string; bytes: Buffer }
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
/**
 * Other people's words in Markdown: quoted line by line, so that nothing of them is read as ours.
 */
const quoted = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `>     ${line}`)
    .join('\n')

/**
 * The whole dossier of a dispute: Markdown for people, JSON for programs, and the pictures. Without
 * `secrets` what looks like a key is masked in the texts.
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
        ? 'not known on this desk'
        : `${origin.fileName}, line ${origin.line}, ${origin.batchName}${origin.supplier === '' ? '' : `, from ${origin.supplier}`}${origin.costCents === null ? '' : `, for ${euros(origin.costCents)}`}`
    return [
      `# Dispute ${detail.disputeId}`,
      '',
      `Exported ${iso(at)} for ${account}. ${secrets ? 'Texts are complete.' : 'What looks like a key is masked in the texts; pictures are as they came.'}`,
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
            'Other claims',
            `${earlier.product} on the product, ${earlier.order} on the order${earlier.batch === null ? '' : `, ${earlier.batch.claimed} of ${earlier.batch.keys} keys of the batch`}`,
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
      '## What was done from this desk',
      '',
      ...(detail.actions.length === 0
        ? ['Nothing but the messages.']
        : detail.actions.map(
            ({ kind, state, writtenAt, settledAt }) =>
              `- ${kind}: ${state}, written ${iso(writtenAt)}, settled ${iso(settledAt)}`,
          )),
      '',
    ].join('\n')
  }
}
