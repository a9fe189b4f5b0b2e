import styles from './brand.module.css'

/** The logo (a key in a square) and the product name. */
export function Brand({ small = false }: { small?: boolean }) {
  return (
    <span className={styles.brand}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden className={styles.logo}>
        <rect width="18" height="18" rx="4" fill="currentColor" />
        <circle cx="6.6" cy="9" r="2.6" fill="none" stroke="#fff" strokeWidth="1.7" />
        <path
          d="M9.2 9h4.9v2M12 9v1.6"
          fill="none"
          stroke="#fff"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {small ? <span className="kd-hidden">Keydesk</span> : <b>Keydesk</b>}
    </span>
  )
}
