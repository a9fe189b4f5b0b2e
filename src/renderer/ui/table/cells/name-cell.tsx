import type { ReactNode } from 'react'
import { surelyFits } from '../columns/columns.ts'
import styles from './cells.module.css'

interface NameParts {
  name: string
  detail?: string
  after?: ReactNode
  /** The detail is less important than the name, such as a list of files, and shrinks first. */
  keepsName?: boolean
}

/** A name followed by platform and region in gray; `after` holds a tag. */
export function NameCell(props: NameParts) {
  return (
    <span className={styles.name} data-keeps-name={props.keepsName}>
      {nameContent(props)}
    </span>
  )
}

/**
 * The maximum width of a character in px, including Chinese, and the gap between a name and its
 * detail.
 */
const widestLetter = 13
const between = 8

/**
 * The class of a table cell that contains {@link nameContent} directly. Where everything surely fits,
 * no part needs to shrink.
 */
export function nameClass(
  { name, detail = '', after }: NameParts,
  room: number,
): string | undefined {
  return after === undefined &&
    surelyFits(detail.length, room - name.length * widestLetter - between)
    ? styles.whole
    : styles.name
}

/** The content of a {@link NameCell}. */
export function nameContent({ name, detail, after }: NameParts) {
  return (
    <>
      <b title={name}>{name}</b>
      {detail === undefined ? null : <span className={styles.detail}>{detail}</span>}
      {after}
    </>
  )
}
