import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import { zipArchive } from './zip-archive.ts'
import type { ArchiveFile } from './zip-archive.ts'
import { dossierMarkdown, iso } from './markdown.ts'
import { maskKeys } from '../detail/keys-in-texts.ts'

export type Picture = { position: number; index: number; contentType: string; bytes: Buffer }
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'text/plain': 'txt',
}

const nameOf = ({
  position,
  index,
  contentType,
}: Pick<Picture, 'position' | 'index' | 'contentType'>): string =>
  `message-${position + 1}-${index + 1}.${endings[contentType] ?? 'bin'}`

/**
 * The complete dossier of a dispute: Markdown for people, JSON for programs, and the images.
 * Without `secrets`, text that resembles a key is masked.
 */
export function buildEvidence(
  detail: DisputeDetail,
  pictures: readonly Picture[],
  { account, secrets, at }: { account: string; secrets: boolean; at: number },
): Buffer {
  const clean = (text: string | null): string | null =>
    text === null ? null : secrets ? text : maskKeys(text)
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
    {
      name: 'dispute.md',
      bytes: Buffer.from(dossierMarkdown(detail, { account, secrets, at, conversation })),
    },
    { name: 'dispute.json', bytes: Buffer.from(`${JSON.stringify(record(), null, 2)}\n`) },
    ...pictures.map((picture) => ({
      name: nameOf(picture),
      bytes:
        picture.contentType === 'text/plain' && !secrets
          ? Buffer.from(maskKeys(picture.bytes.toString()))
          : picture.bytes,
    })),
  ]
  return zipArchive(files, at)

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
}
