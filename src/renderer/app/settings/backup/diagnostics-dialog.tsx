import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { saveBlob } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import styles from '../settings.module.css'

/** The bundle for a bug report. People can review all of it before they save it. */
export function DiagnosticsDialog({ onClose }: { onClose: () => void }) {
  const made = useQuery({
    ...api.diagnostics.make.queryOptions(),
    staleTime: 'static',
    gcTime: 0,
  })
  const save = (): void => {
    if (made.data === undefined) return
    saveBlob(made.data.fileName, new Blob([made.data.text], { type: 'application/json' }))
    toast({ title: 'Diagnostics saved', text: made.data.fileName })
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Diagnostics"
      width={760}
      lead="This is everything the file contains. Nothing is sent anywhere."
      note={
        made.data === undefined
          ? undefined
          : `${made.data.fileName}, ${formatBytes(made.data.text.length)}`
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Close
          </Button>
          <Button size="md" kind="primary" disabled={made.data === undefined} onClick={save}>
            Save file
          </Button>
        </>
      }
    >
      {made.isError ? (
        <ErrorState problem={problemOf(made.error)} onRetry={() => void made.refetch()} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
        <pre className={styles.bundle} tabIndex={0} role="region" aria-label="File contents">
          {made.data?.text ?? 'Collecting…'}
        </pre>
      )}
    </Dialog>
  )
}
