import styles from './avatar.module.css'

/** Initials of the first two words: "Kestrel Keys" → "KK". */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** An account's avatar. It is neutral because color is reserved for the mode. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={styles.avatar} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}
