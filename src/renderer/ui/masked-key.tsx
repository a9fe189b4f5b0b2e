import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'
import styles from './masked-key.module.css'
import { useNow } from './use-now.ts'

const shownMs = 30_000

/** Only one key is revealed at a time; revealing another hides the one before. */
let hideShown: (() => void) | null = null

export interface Reveal {
  /** The value while it is revealed, else null. */
  value: string | null
  busy: boolean
  reveal: () => void
  hide: () => void
}

/**
 * A secret that is shown for 30 seconds after `onReveal` gave it, and hidden on blur of the window,
 * on another reveal, and by `hide`.
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
  /** First group and bullets, as the core gives it. */
  masked: string
  /** Fetches the value in clear; tell failures yourself (a toast). */
  onReveal: () => Promise<string>
  /**
   * Copies the value without showing it; the toast is yours too. Leave out where copying makes no
   * sense.
   */
  onCopy?: () => Promise<void>
  /** What this key is, for names of its buttons: "key 3". Never the key. */
  label: string
}

/** A key in a row: masked and not selectable; reveal, hide and copy at the right. */
export function MaskedKey({ masked, onReveal, onCopy, label }: MaskedKeyProps) {
  const { value, busy, reveal, hide } = useReveal(onReveal)
  return (
    <span className={styles.row}>
      <span className={cx(styles.key, value === null ? styles.masked : styles.shown)}>
        {value ?? masked}
      </span>
      <span className={styles.tools}>
        {value === null ? null : <HidesIn />}
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
export function HidesIn() {
  const now = useNow(500)
  const [start] = useState(now)
  return (
    <span className={styles.hides}>
      hides in {Math.max(0, Math.ceil((shownMs - (now - start)) / 1000))} s
    </span>
  )
}
