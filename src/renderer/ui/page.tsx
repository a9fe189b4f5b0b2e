import { IconX } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './page.module.css'
import { useShortcut } from './shortcuts.ts'

/**
 * One page in the content panel: header, bars and body on the left, a side panel on the right that
 * lies over the body below 1120 px.
 */
export function Page({ panel, children }: { panel?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.main}>{children}</div>
      {panel}
    </div>
  )
}

/**
 * What the shell says under the header of whatever page is open: no connection, a key that is
 * missing or refused.
 */
export const HeaderNotice = createContext<ReactNode>(null)

/**
 * 52 px: title, what stands beside it (counts, tabs, steps), actions at the right. `before` holds a
 * breadcrumb.
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

/** 44 px under the header: search, filter chips; `end` holds icon buttons. */
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
 * What scrolls between bars and footer. `padded` gives 20 px to texts and forms; tables go to the
 * edge.
 */
export function Body({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
  return <div className={cx(styles.body, padded && styles.padded)}>{children}</div>
}

/**
 * 56 px at the foot of a page that acts: what is safe or what happens at the left, the action at
 * the right.
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
  /** The name of what is open; it also names the region. */
  title: string
  /** Platform, region, id in grey. */
  detail?: ReactNode
  width?: number
  actions?: ReactNode
  onClose?: () => void
  children: ReactNode
  footer?: ReactNode
  /**
   * There is nothing in it to act on: Tab reaches it as a whole, so that it can be scrolled by
   * keyboard.
   */
  readOnly?: boolean
}

/**
 * Follows the open row; never takes the focus by itself. Closes by its button, and by Esc outside
 * fields.
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

/** A section of a side panel between hairlines. `aside` stands at the right of its title. */
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
