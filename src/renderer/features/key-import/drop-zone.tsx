import { Dropzone } from '@mantine/dropzone'
import { useEffect, useRef } from 'react'
import { isCovered, isTyping } from '../../ui/shortcuts.ts'
import { KeyCaps } from '../../ui/key-cap.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './key-import.module.css'
import { pastedFile } from './send-files.ts'

/** A place to drop files on, a button to choose them, and Ctrl+V for pasted lines. `big` fills the page. */
export function DropZone({ onFiles, busy, big = false }: { onFiles: (files: File[]) => void; busy: boolean; big?: boolean }) {
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (isTyping(event) || isCovered()) return
      const files = [...event.clipboardData?.files ?? []]
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (files.length > 0) latest.current(files)
      else if (text.trim() !== '') latest.current([pastedFile(text)])
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  return (
    <Dropzone
      onDrop={onFiles} onReject={() => toast({ kind: 'bad', title: 'This can’t be imported', text: 'Drop files: txt, csv or tsv.' })}
      loading={busy} className={big ? styles.dropBig : styles.drop} aria-label="Drop files with keys, or choose them" inputProps={{ 'aria-label': 'Files with keys' }} acceptColor="cobalt"
    >
      <p className={styles.dropTitle}>{big ? 'Drop files with keys here' : 'Drop more files here'}</p>
      <p className={styles.dropText}>txt, csv or tsv, or paste with <KeyCaps keys={['Ctrl', 'V']} /></p>
      {big ? <p className={styles.dropHint}>One key a line, or a table with a column that names the offer. Nothing is sent before you have seen every line judged.</p> : null}
    </Dropzone>
  )
}
