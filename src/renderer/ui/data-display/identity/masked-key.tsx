import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../controls/buttons/button.tsx'
import { CopyButton } from '../../controls/buttons/copy-button.tsx'
import { cx } from '../../cx.ts'
import styles from './masked-key.module.css'
import { useNow } from '../../hooks/use-now.ts'

const shownMs = 30_000

/** Only one key is revealed at a time; revealing another one hides the previous one. */
let hideShown: (() => void) | null = null

/** How many secrets are visible or about to be: two for a moment while one replaces the other. */
let visible = 0

/** Keeps Electron's window, if there is one, out of recordings while a key is visible. */
function reportSecret(change: 'shown' | 'hidden'): void {
  visible += change === 'shown' ? 1 : -1
  const state = visible > 0 ? 'shown' : 'hidden'
  window.postMessage({ type: `keydesk:secret-${state}` }, window.origin)
}

export interface Reveal {
  /** The value while it is revealed, otherwise null. */
  value: string | null
  busy: boolean
  reveal: () => void
  hide: () => void
}

/**
 * Reveals a secret for 30 seconds after `onReveal` returns it. It is hidden earlier when the window
 * loses the focus, another key is revealed, or `hide` is called.
 */
export function useReveal(onReveal: () => Promise<string>): Reveal {
  const [shown, setShown] = useState<{ value: string; until: number } | null>(null)
  const [busy, setBusy] = useState(false)
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])
  useEffect(() => {
    if (shown === null) return
    const hide = (): void => setShown(null)
    const timer = setTimeout(hide, shown.until - Date.now())
    window.addEventListener('blur', hide)
    window.addEventListener('keydesk:lock', hide)
    hideShown?.()
    hideShown = hide
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
      window.removeEventListener('keydesk:lock', hide)
      if (hideShown === hide) hideShown = null
    }
  }, [shown])
  const concerned = busy || shown !== null
  useEffect(() => {
    if (!concerned) return
    reportSecret('shown')
    return () => reportSecret('hidden')
  }, [concerned])
  return {
    value: shown?.value ?? null,
    busy,
    reveal: () => {
      setBusy(true)
      void onReveal()
        .then(
          (value) => {
            if (alive.current) setShown({ value, until: Date.now() + shownMs })
          },
          () => {},
        )
        .finally(() => {
          if (alive.current) setBusy(false)
        })
    },
    hide: () => setShown(null),
  }
}

export interface MaskedKeyProps {
  /** The first group and bullets, as the core returns them. */
  masked: string
  /** Fetches the unmasked value. Report failures yourself, with a toast. */
  onReveal: () => Promise<string>
  /**
   * Copies the value without showing it, and shows its own toast. Omit it where copying makes no
   * sense.
   */
  onCopy?: () => Promise<void>
  /** Names the key for its buttons: "key 3". Never the key's value. */
  label: string
}

/** A key in a row: masked and not selectable, with reveal, hide and copy buttons on the right. */
export function MaskedKey({ masked, onReveal, onCopy, label }: MaskedKeyProps) {
  const { value, busy, reveal, hide } = useReveal(onReveal)
  return (
    <span className={styles.row}>
      <span className={cx(styles.key, value === null ? styles.masked : styles.shown)}>
        {value ?? masked}
      </span>
      <span className={styles.tools}>
        {value === null ? null : <HideCountdown />}
        <IconButton
          small
          label={value === null ? `Reveal ${label}` : `Hide ${label}`}
          disabled={busy}
          onClick={value === null ? reveal : hide}
        >
          {value === null ? (
            <IconEye size={16} stroke={1.6} />
          ) : (
            <IconEyeOff size={16} stroke={1.6} />
          )}
        </IconButton>
        {onCopy === undefined ? null : <CopyButton label={`Copy ${label}`} onCopy={onCopy} />}
      </span>
    </span>
  )
}

/** "hides in 22 s", counting from when it appears. */
export function HideCountdown() {
  const now = useNow(500)
  const [start] = useState(now)
  return (
    <span className={styles.hides}>
      hides in {Math.max(0, Math.ceil((shownMs - (now - start)) / 1000))} s
    </span>
  )
}
