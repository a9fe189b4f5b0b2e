import { IconFileImport } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { isDialogOpen } from '../../../ui/hooks/shortcuts.ts'
import { filesOf } from './dropped-files.ts'
import styles from './start.module.css'

/** Elements that handle drops themselves. */
const ZONE = '[data-drop-zone]'

const carriesFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true && !isDialogOpen()

/**
 * Accepts files dropped anywhere on the page, because the drop zone may be scrolled out of view,
 * and shows a hint while files are dragged over the page.
 */
export function DropAnywhere({
  onFiles,
  enabled,
}: {
  onFiles: (files: File[]) => void
  enabled: boolean
}) {
  const [over, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    if (!enabled) return
    const drag = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // When the pointer leaves the window, no other element is entered.
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (
        !carriesFiles(event) ||
        (event.target instanceof Element && event.target.closest(ZONE) !== null)
      )
        return
      event.preventDefault()
      void filesOf(event).then((files) => {
        if (files.length > 0) latest.current(files.filter((file) => file instanceof File))
      })
    }
    const listeners = { dragenter: drag, dragover: drag, dragleave: leave, drop }
    for (const [type, listener] of Object.entries(listeners))
      window.addEventListener(type, listener as EventListener)
    return () => {
      setOver(false)
      for (const [type, listener] of Object.entries(listeners))
        window.removeEventListener(type, listener as EventListener)
    }
  }, [enabled])
  return over ? (
    <div className={styles.dropOver} aria-hidden>
      <p>
        <IconFileImport size={20} stroke={1.6} />
        Drop to add these files
      </p>
    </div>
  ) : null
}
