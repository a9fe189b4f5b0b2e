import { IconCornerDownLeft } from '@tabler/icons-react'
import { cx } from '../../cx.ts'
import styles from './key-cap.module.css'

const onMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/**
 * One key of the keyboard as a cap. `Enter` shows its arrow, and `Ctrl` shows ⌘ on macOS. `tone`
 * matches the button around it.
 */
export function KeyCap({ name, tone = 'plain' }: { name: string; tone?: 'plain' | 'primary' }) {
  return (
    <kbd className={cx(styles.cap, tone === 'primary' && styles.primary)}>
      {name === 'Enter' ? (
        <>
          <IconCornerDownLeft size={10} stroke={2} aria-hidden />
          <span className="kd-hidden">Enter</span>
        </>
      ) : name === 'Ctrl' && onMac ? (
        '⌘'
      ) : (
        name
      )}
    </kbd>
  )
}

/** Keys pressed together, such as `['Ctrl', 'Enter']`. */
export function KeyCaps({
  keys,
  tone = 'plain',
  tight = false,
}: {
  keys: readonly string[]
  tone?: 'plain' | 'primary'
  tight?: boolean
}) {
  return (
    <span className={cx(styles.caps, tight && styles.tight)}>
      {keys.map((name) => (
        <KeyCap key={name} name={name} tone={tone} />
      ))}
    </span>
  )
}
