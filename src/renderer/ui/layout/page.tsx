import { IconX } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext } from 'react'
import { IconButton } from '../controls/buttons/button.tsx'
import { cx } from '../cx.ts'
import styles from './page.module.css'
import { useShortcut } from '../hooks/shortcuts.ts'

/**
 * A page in the content area: header, bars and body on the left, and a side panel on the right that
 * covers the body below 1120 px. A wide header, such as one with many tabs, is given as `header`:
 * it spans the panel too.
 */
export function Page({
  panel,
  header,
  children,
}: {
  panel?: ReactNode
  header?: ReactNode
  children: ReactNode
}) {
  const page = (
    <div className={styles.page}>
      <div className={styles.main}>{children}</div>
      {panel}
    </div>
  )
  if (header === undefined) return page
  return (
    <div className={styles.underHeader}>
      {header}
      {page}
    </div>
  )
}

/**
 * Messages that the shell shows under the header of every page: no connection, or a missing or
 * rejected key.
 */
export const HeaderNotice = createContext<ReactNode>(null)

/**
 * The 52 px header: title, content next to it (counts, tabs, steps), and actions on the right.
 * `before` holds a breadcrumb.
 */
export function PageHeader({
  title,
  before,
  beside,
  actions,
}: {
  title: string
  before?: ReactNode
  beside?: ReactNode
  actions?: ReactNode
}) {
  const notice = useContext(HeaderNotice)
  return (
    <>
      <header className={styles.header}>
        {before}
        <h1 className={styles.title}>{title}</h1>
        {beside === undefined ? null : <div className={styles.beside}>{beside}</div>}
        <div className={styles.actions}>{actions}</div>
      </header>
      {notice}
    </>
  )
}

/** The 44 px bar under the header: search and filter chips; `end` holds icon buttons. */
export function Bar({
  children,
  end,
  label,
}: {
  children: ReactNode
  end?: ReactNode
  label: string
}) {
  return (
    <div className={styles.bar} role="group" aria-label={label}>
      <div className={styles.barStart}>{children}</div>
      <div className={styles.barEnd}>{end}</div>
    </div>
  )
}

/**
 * The scrolling part between bars and footer. `padded` adds 20 px for texts and forms; tables use
 * the full width.
 */
export function Body({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
  return <div className={cx(styles.body, padded && styles.padded)}>{children}</div>
}

/**
 * The 56 px footer of a page with an action: safety or effect on the left, the action on the right.
 */
export function Footer({ children, actions }: { children?: ReactNode; actions: ReactNode }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.footerText}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </footer>
  )
}

export interface SidePanelProps {
  /** The name of the open record; it also names the region. */
  title: string
  /** Platform, region and id in gray. */
  detail?: ReactNode
  width?: number
  actions?: ReactNode
  onClose?: () => void
  children: ReactNode
  footer?: ReactNode
  /**
   * The panel has no controls. Tab focuses the panel itself, so that it can be scrolled by
   * keyboard.
   */
  readOnly?: boolean
}

/**
 * Shows details of the open row and never takes the focus automatically. Closes with its button,
 * and with Esc outside fields.
 */
export function SidePanel({
  title,
  detail,
  width = 356,
  actions,
  onClose,
  children,
  footer,
  readOnly = false,
}: SidePanelProps) {
  useShortcut('Escape', () => onClose?.(), { enabled: onClose !== undefined })
  return (
    <aside className={styles.panel} data-side-panel style={{ width }} aria-label={title}>
      <div className={styles.panelHead}>
        <div className={styles.panelTitles}>
          <h2 className={styles.panelTitle}>{title}</h2>
          {detail === undefined ? null : <div className={styles.panelDetail}>{detail}</div>}
        </div>
        <div className={styles.panelActions}>
          {actions}
          {onClose === undefined ? null : (
            <IconButton label="Close" onClick={onClose}>
              <IconX size={16} stroke={1.6} />
            </IconButton>
          )}
        </div>
      </div>
      <div
        className={styles.panelBody}
        {...(readOnly && { tabIndex: 0, role: 'region', 'aria-label': title })}
      >
        {children}
      </div>
      {footer === undefined ? null : <div className={styles.panelFoot}>{footer}</div>}
    </aside>
  )
}

/** A section of a side panel between hairlines. `aside` appears to the right of its title. */
export function PanelSection({
  title,
  aside,
  children,
}: {
  title?: string
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.section}>
      {title === undefined && aside === undefined ? null : (
        <div className={styles.sectionHead}>
          {title === undefined ? <span /> : <h3>{title}</h3>}
          <span className={styles.sectionAside}>{aside}</span>
        </div>
      )}
      {children}
    </section>
  )
}
