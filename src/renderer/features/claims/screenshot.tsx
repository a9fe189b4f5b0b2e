import { useQuery } from '@tanstack/react-query'
import type { ClaimDetail } from '../../../contract/claims.ts'
import { useAccount } from '../../lib/current-account.ts'
import { api } from '../../lib/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { PanelSection } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './claims.module.css'

type Picture = { contentType: 'image/png' | 'image/jpeg' | 'image/gif'; base64: string }
const types: readonly string[] = ['image/png', 'image/jpeg', 'image/gif']
const mostBytes = 5 * 1024 * 1024

async function pictureOf(file: File): Promise<Picture | null> {
  if (!types.includes(file.type) || file.size > mostBytes) return null
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let from = 0; from < bytes.length; from += 0x8000) text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
  return { contentType: file.type as Picture['contentType'], base64: btoa(text) }
}

/** The screenshot of the activation error: dropped, pasted or chosen while the claim is prepared. */
export function Screenshot({ claim, isDraft, onPicture }: { claim: ClaimDetail; isDraft: boolean; onPicture: (picture: Picture | null) => void }) {
  const { id: accountId } = useAccount()
  const shown = useQuery({ ...api.claims.screenshot.queryOptions({ input: { accountId, claimId: claim.claimId } }), enabled: claim.screenshot !== null }).data ?? null
  const take = (file: File | undefined): void => {
    if (file === undefined) return
    void pictureOf(file).then((picture) => (picture === null ? toast({ kind: 'bad', title: 'Not added', text: 'Choose a PNG, JPEG or GIF of at most 5 MB.' }) : onPicture(picture)))
  }
  return (
    <PanelSection title="Screenshot" aside={claim.screenshot === null ? 'none yet' : formatBytes(claim.screenshot.bytes)}>
      {claim.screenshot === null || shown === null ? null : <img className={styles.picture} src={`data:${shown.contentType};base64,${shown.base64}`} alt="Screenshot of the activation error" />}
      {!isDraft ? null : (
        <label
          className={styles.drop} onDragOver={(event) => event.preventDefault()} onDrop={(event) => { event.preventDefault(); take(event.dataTransfer.files[0]) }}
          onPaste={(event) => take(event.clipboardData.files[0])}
        >
          {claim.screenshot === null ? 'Drop, paste or choose the screenshot of the error' : 'Drop, paste or choose another'}
          <input type="file" accept={types.join(',')} aria-label="Screenshot of the activation error" onChange={(event) => { take(event.currentTarget.files?.[0]); event.currentTarget.value = '' }} />
        </label>
      )}
      {claim.screenshot === null ? null : (
        <div className={styles.links}>
          {shown === null ? null : <Button size="xs" onClick={() => saveFile(`claim ${claim.externalId}.${shown.contentType.slice('image/'.length)}`, shown.base64)}>Save it</Button>}
          {isDraft ? <Button size="xs" kind="quiet" onClick={() => onPicture(null)}>Take it off</Button> : null}
        </div>
      )}
    </PanelSection>
  )
}
