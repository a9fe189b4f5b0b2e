import { Dropzone } from '@mantine/dropzone'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { ClaimDetail } from '../../../contract/claims.ts'
import { base64Of } from '../../lib/base64.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { PanelSection } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/feedback/toasts.tsx'
import styles from './claims.module.css'

export type Picture = { contentType: 'image/png' | 'image/jpeg' | 'image/gif'; base64: string }
const types: readonly string[] = ['image/png', 'image/jpeg', 'image/gif']
const maxBytes = 5 * 1024 * 1024
const notAdded = {
  kind: 'bad',
  title: 'Not added',
  text: 'Choose a PNG, JPEG or GIF of at most 5 MB.',
} as const

async function readPicture(file: File): Promise<Picture | null> {
  if (!types.includes(file.type) || file.size > maxBytes) return null
  return { contentType: file.type as Picture['contentType'], base64: await base64Of(file) }
}

/** The screenshot of the activation error: dropped, pasted or chosen while the claim is a draft. */
export function Screenshot({
  claim,
  isDraft,
  onPicture,
}: {
  claim: ClaimDetail
  isDraft: boolean
  onPicture: (picture: Picture | null) => void
}) {
  const { id: accountId } = useAccount()
  const shown =
    useQuery({
      ...api.claims.screenshot.queryOptions({ input: { accountId, claimId: claim.claimId } }),
      enabled: claim.screenshot !== null,
    }).data ?? null
  const take = (file: File | undefined): void => {
    if (file === undefined) return
    void readPicture(file).then((picture) =>
      picture === null ? toast(notAdded) : onPicture(picture),
    )
  }
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    if (isDraft) take(event.clipboardData?.files[0])
  })
  useEffect(() => {
    window.addEventListener('paste', pasted)
    return () => window.removeEventListener('paste', pasted)
  }, [])
  return (
    <PanelSection
      title="Screenshot"
      aside={claim.screenshot === null ? 'none' : formatBytes(claim.screenshot.bytes)}
    >
      {claim.screenshot === null || shown === null ? null : (
        <img
          className={styles.picture}
          src={`data:${shown.contentType};base64,${shown.base64}`}
          alt="Screenshot of the activation error"
        />
      )}
      {!isDraft ? null : (
        <Dropzone
          className={styles.drop}
          accept={[...types]}
          maxSize={maxBytes}
          multiple={false}
          inputProps={{ 'aria-label': 'Screenshot of the activation error' }}
          onDrop={([file]) => take(file)}
          onReject={() => toast(notAdded)}
        >
          {claim.screenshot === null
            ? 'Drop, paste or choose the screenshot of the error'
            : 'Drop, paste or choose another'}
        </Dropzone>
      )}
      {claim.screenshot === null ? null : (
        <div className={styles.links}>
          {shown === null ? null : (
            <Button
              size="xs"
              onClick={() =>
                saveFile(
                  `claim ${claim.externalId}.${shown.contentType.slice('image/'.length)}`,
                  shown.base64,
                )
              }
            >
              Save
            </Button>
          )}
          {isDraft ? (
            <Button size="xs" kind="quiet" onClick={() => onPicture(null)}>
              Remove
            </Button>
          ) : null}
        </div>
      )}
    </PanelSection>
  )
}
