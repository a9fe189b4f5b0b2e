import styles from './orders.module.css'

/**
 * A product's name with its edition below, so that a long name never hides platform and region.
 */
export function ProductLines({ name, detail }: { name: string; detail: string }) {
  return (
    <span className={styles.product}>
      <b title={name}>{name}</b>
      <span>{detail}</span>
    </span>
  )
}
