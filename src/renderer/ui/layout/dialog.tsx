import { Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FocusEvent, type ReactNode, useEffect } from 'react'
import type { Mode } from '../../../contract/app/accounts.ts'
import { IconButton } from '../controls/buttons/button.tsx'
import styles from './dialog.module.css'
import { useOpenDialog } from '../hooks/dialog-stack.ts'
import { ModeBadge } from '../data-display/identity/mode-badge.tsx'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** The account that the dialog changes; its badge and name appear above the title. */
  account?: { name: string; mode: Mode } | undefined
  lead?: ReactNode
  width?: number
  closable?: boolean
  children?: ReactNode
  /** Buttons in the footer, the main one last. `note` appears to their left. */
  actions?: ReactNode
  note?: ReactNode
}

/**
 * Marks the focused element as the one to focus first. Mantine sets the initial focus in a timer, up
 * to twice; without the mark it takes the focus back from a field that a fast key press has chosen,
 * and the next digits act as shortcuts instead of being typed.
 */
function keepFocus(event: FocusEvent<HTMLElement>): void {
  for (const other of event.currentTarget.querySelectorAll('[data-autofocus]'))
    if (other !== event.target) other.removeAttribute('data-autofocus')
  event.target.setAttribute('data-autofocus', 'true')
}

/**
 * Gives the focus back when an open dialog is removed. Mantine does so only for one that stays and
 * closes.
 */
function useFocusBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement)
          before.focus({ preventScroll: true })
      })
    }
  }, [opened])
}

/**
 * A dialog: mode and account, title, one sentence, content and buttons. Focuses `[data-autofocus]`
 * and restores the focus when it closes.
 */
export function Dialog({
  opened,
  onClose,
  title,
  account,
  lead,
  width = 456,
  closable = false,
  children,
  actions,
  note,
}: DialogProps) {
  const isOnTop = useOpenDialog(opened)
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      // Escape reaches every open dialog, but closes only the one on top.
      onClose={() => {
        if (isOnTop()) onClose()
      }}
      size={width}
      padding={0}
      radius="xl"
      centered
      returnFocus
      // While a closed dialog faded out, the next keys acted on neither it nor the page.
      transitionProps={{ transition: 'fade', duration: 120, exitDuration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <div className={styles.dialog} onFocusCapture={keepFocus}>
          {account === undefined ? null : (
            <div className={styles.account}>
              <ModeBadge mode={account.mode} />
              <span>{account.name}</span>
            </div>
          )}
          <h2 className={styles.title}>{title}</h2>
          {closable ? (
            <div className={styles.close}>
              <IconButton label="Close" onClick={onClose}>
                <IconX size={16} stroke={1.6} />
              </IconButton>
            </div>
          ) : null}
          {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
          {children}
          {actions === undefined ? null : (
            <div className={styles.foot}>
              <span className={styles.note}>{note}</span>
              {actions}
            </div>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
