import { Button as MantineButton } from '@mantine/core'
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import styles from './button.module.css'
import { cx } from '../../cx.ts'
import { KeyCaps } from './key-cap.tsx'
import { focusIfFree } from '../../hooks/focus-if-free.ts'

export type ButtonKind = 'primary' | 'standard' | 'quiet' | 'danger' | 'final' | 'sandbox'

export interface ButtonProps extends Omit<
  ComponentPropsWithoutRef<'button'>,
  'size' | 'color' | 'style'
> {
  /**
   * primary: the main next step; danger: opens a destructive dialog; final: confirms it; sandbox:
   * plum outline.
   */
  kind?: ButtonKind
  /** xs 24 for rows, sm 28 for toolbars, md 32 for dialogs, lg 36 for the first run. */
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** A Tabler icon with 16 px and stroke 1.6. */
  icon?: ReactNode
  /**
   * The equivalent shortcut, shown on the button: `['Ctrl', 'Enter']`. Wire it with `useShortcut`.
   */
  keys?: readonly string[]
  /** While the action runs, the button shows a spinner and ignores clicks. */
  busy?: boolean
  wide?: boolean
}

/**
 * A button. Its label is a verb with an object: "Upload 441,749 keys". Add "…" only when a dialog
 * follows.
 */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  {
    kind = 'standard',
    size = 'sm',
    icon,
    keys,
    busy = false,
    wide = false,
    className,
    children,
    disabled,
    autoFocus = false,
    ...rest
  },
  ref,
) {
  const own = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => own.current as HTMLButtonElement)
  useEffect(() => {
    if (autoFocus) focusIfFree(own.current)
  }, [autoFocus])
  const filled = kind === 'primary' || kind === 'final'
  return (
    <MantineButton
      ref={own}
      size={size}
      loading={busy}
      fullWidth={wide}
      disabled={disabled === true}
      className={cx(styles.button, styles[kind], className)}
      leftSection={icon}
      rightSection={
        keys === undefined ? undefined : <KeyCaps keys={keys} tone={filled ? 'primary' : 'plain'} />
      }
      {...rest}
    >
      {children}
    </MantineButton>
  )
})

/**
 * An icon-only button of 28 px (24 in rows, `small`). `label` is its accessible name and tooltip.
 */
export const IconButton = forwardRef<
  HTMLButtonElement,
  Omit<ComponentPropsWithoutRef<'button'>, 'children'> & {
    label: string
    small?: boolean
    children: ReactNode
  }
>(function IconButton({ label, small = false, className, children, ...rest }, ref) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      className={cx(styles.icon, small && styles.iconSmall, 'mantine-focus-auto', className)}
      {...rest}
    >
      {children}
    </button>
  )
})

/** An action that looks like a link: "Choose an offer", "Export to fix". */
export function LinkButton({ className, ...rest }: ComponentPropsWithoutRef<'button'>) {
  return <button type="button" className={cx(styles.link, className)} {...rest} />
}
