import { Dropzone } from '@mantine/dropzone'
import { useEffect, useRef } from 'react'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { KeyCaps } from '../../../ui/controls/buttons/key-cap.tsx'
import { isDialogOpen, isTyping } from '../../../ui/hooks/shortcuts.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { chosenFiles, filesOf } from './dropped-files.ts'
import styles from './start.module.css'
import { pastedFile } from './send-files.ts'

/**
 * A drop zone for files and folders that covers the page around it too, with buttons to choose them
 * and Ctrl+V to paste lines. `big` fills the page and takes the focus, so that Enter chooses files.
 */
export function DropZone({
  onFiles,
  busy = false,
  big = false,
}: {
  onFiles: (files: File[]) => void
  busy?: boolean
  big?: boolean
}) {
  const latest = useRef(onFiles)
  latest.current = onFiles
  const folder = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (isTyping(event) || isDialogOpen()) return
      const files = [...(event.clipboardData?.files ?? [])]
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (files.length > 0) latest.current(files)
      else if (text.trim() !== '') latest.current([pastedFile(text)])
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  return (
    <>
      <DropAnywhere onFiles={onFiles} enabled={!busy} />
      <Dropzone
        autoFocus={big}
        data-drop-zone
        onDrop={(files) => {
          if (files.length > 0) onFiles(files)
        }}
        onReject={() =>
          toast({
            kind: 'bad',
            title: 'This can’t be imported',
            text: 'Drop files or folders that contain keys.',
          })
        }
        getFilesFromEvent={filesOf}
        useFsAccessApi={false}
        loading={busy}
        className={big ? styles.dropBig : styles.drop}
        aria-label="Drop files with keys, or choose them"
        inputProps={{ 'aria-label': 'Files with keys' }}
        acceptColor="cobalt"
      >
        <p className={styles.dropTitle}>
          {big ? 'Drop files with keys here, or choose them' : 'Drop more files here'}
          {big ? <KeyCaps keys={['Enter']} /> : null}
        </p>
        <p className={styles.dropText}>
          txt, csv, tsv, xlsx, pictures, folders, or paste with <KeyCaps keys={['Ctrl', 'V']} />
        </p>
        {big ? (
          <p className={styles.dropHint}>
            Use one key per line, or a table with a column that names the offer. Nothing is sent
            until you’ve reviewed every line.
          </p>
        ) : null}
      </Dropzone>
      <p className={styles.folder}>
        <LinkButton disabled={busy} onClick={() => folder.current?.click()}>
          Choose a folder
        </LinkButton>
        <input
          ref={(input) => {
            folder.current = input
            input?.setAttribute('webkitdirectory', '')
          }}
          type="file"
          multiple
          hidden
          aria-label="A folder with keys"
          tabIndex={-1}
          onChange={(event) => {
            const files = chosenFiles(event.currentTarget)
            event.currentTarget.value = ''
            if (files.length > 0) onFiles(files)
          }}
        />
      </p>
    </>
  )
}
