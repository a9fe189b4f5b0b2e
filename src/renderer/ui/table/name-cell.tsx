import type { ReactNode } from 'react'
import { surelyFits } from './columns.ts'
import styles from './cells.module.css'

interface NameParts {
  name: string
  detail?: string
  after?: ReactNode
}

/** A name with platform and region in grey behind it; `after` for a tag. */
export function NameCell(props: NameParts) {
  return <span className={styles.name}>{nameSays(props)}</span>
}

/**
 * Px that no letter of a name goes beyond, not those of Chinese, and what stands between a name and
 * its detail.
 */
const widestLetter = 13
const between = 8

/**
 * The class of a cell of a table that shows {@link nameSays} by itself: where there is surely room
 * for all of it, nothing has to give way.
 */
export function nameLook(
  { name, detail = '', after }: NameParts,
  room: number,
): string | undefined {
  return after === undefined &&
    surelyFits(detail.length, room - name.length * widestLetter - between)
    ? styles.whole
    : styles.name
}

/** What stands in a {@link NameCell}. */
export function nameSays({ name, detail, after }: NameParts) {
  return (
    <>
      <b title={name}>{name}</b>
      {detail === undefined ? null : <span className={styles.detail}>{detail}</span>}
      {after}
    </>
  )
}
