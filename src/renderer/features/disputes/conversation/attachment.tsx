import { useQuery } from '@tanstack/react-query'
import { IconPhoto, IconPhotoX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatBytes } from '../../../ui/format.ts'
import styles from './conversation.module.css'
import { UntrustedText } from './untrusted-text.tsx'

export interface AttachmentRef {
  accountId: string
  disputeId: string
  position: number
  index: number
  contentType: string
  bytes: number
}

/**
 * An image, recognized by its first bytes and drawn from memory; it runs and loads nothing. For
 * anything else, a message says that it isn't an image.
 */
export function Attachment({
  accountId,
  disputeId,
  position,
  index,
  contentType,
  bytes,
}: AttachmentRef) {
  const query = useQuery({
    ...api.disputes.attachment.queryOptions({ input: { accountId, disputeId, position, index } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [broken, setBroken] = useState(false)
  const url = usePicture(query.data)
  const name = `Attachment ${index + 1}`
  if (query.isError || broken) {
    return (
      <div className={styles.noPicture}>
        <IconPhotoX size={16} stroke={1.6} aria-hidden />
        <span>
          {broken
            ? 'This image is damaged and can’t be shown.'
            : `${problemOf(query.error).what} ${problemOf(query.error).next}`}
        </span>
        <small>{formatBytes(bytes)}</small>
      </div>
    )
  }
  if (query.data?.contentType === 'text/plain')
    return (
      <UntrustedText
        className={styles.textFile}
        text={decode(query.data.base64)}
        fileName={`${disputeId} ${name}.txt`}
      />
    )
  return (
    <Picture
      url={url}
      name={name}
      contentType={query.data?.contentType ?? contentType}
      bytes={bytes}
      onBroken={() => setBroken(true)}
    />
  )
}

/** The picture, small, and full size on request. */
function Picture({
  url,
  name,
  contentType,
  bytes,
  onBroken,
}: Pick<AttachmentRef, 'contentType' | 'bytes'> & {
  /** Null until it can be drawn. */
  url: string | null
  name: string
  onBroken: () => void
}) {
  const [large, setLarge] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.picture}
        title="Show full size"
        onClick={() => setLarge(true)}
      >
        {url === null ? (
          <span className={styles.drawing} />
        ) : (
          <img src={url} alt="Attachment from the customer" onError={onBroken} />
        )}
        <span className={styles.caption}>
          <IconPhoto size={14} stroke={1.6} aria-hidden />
          <span>{contentType.replace('image/', '').slice(0, 12)}</span>
          <small>{formatBytes(bytes)}</small>
        </span>
      </button>
      <Dialog
        opened={large && url !== null}
        onClose={() => setLarge(false)}
        title={name}
        width={980}
        closable
        actions={
          <Button size="md" onClick={() => setLarge(false)} data-autofocus>
            Close
          </Button>
        }
      >
        {url === null ? null : (
          <img src={url} alt="Attachment from the customer" className={styles.large} />
        )}
      </Dialog>
    </>
  )
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.fromBase64(base64)
const decode = (base64: string): string => new TextDecoder().decode(bytesOf(base64))

function usePicture(data: { contentType: string; base64: string } | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (data === undefined || !data.contentType.startsWith('image/')) return
    const address = URL.createObjectURL(
      new Blob([bytesOf(data.base64)], { type: data.contentType }),
    )
    setUrl(address)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(address)
    }
  }, [data])
  return url
}
