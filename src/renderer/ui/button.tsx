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
import { cx } from './cx.ts'
import { KeyCaps } from './key-cap.tsx'
import { takeFocus } from './take-focus.ts'

export type ButtonKind = 'primary' | 'standard' | 'quiet' | 'danger' | 'final' | 'sandbox'

export interface ButtonProps extends Omit<
  ComponentPropsWithoutRef<'button'>,
  'size' | 'color' | 'style'
> {
  /**
   * primary: the one next step; danger: opens a dangerous dialog; final: does it; sandbox: plum
   * outline.
   */
  kind?: ButtonKind
  /** xs 24 rows, sm 28 toolbars, md 32 dialogs, lg 36 first run. */
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** A Tabler icon of 16 px and stroke 1.6. */
  icon?: ReactNode
  /**
   * The shortcut that does the same, shown on the button: `['Ctrl', 'Enter']`. Wire it with
   * `useShortcut`.
   */
  keys?: readonly string[]
  /** The action runs: the button turns a ring and takes no click. */
  busy?: boolean
  wide?: boolean
}

/**
 * A button whose label is a verb and its thing: "Upload 441,749 keys". "…" only when a dialog
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
    if (autoFocus) takeFocus(own.current)
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

/** An icon alone, 28 px (24 in rows, `small`). `label` is its name for everyone. */
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

/** An action that reads as a link: "Choose an offer", "Export to fix". */
export function LinkButton({ className, ...rest }: ComponentPropsWithoutRef<'button'>) {
  return <button type="button" className={cx(styles.link, className)} {...rest} />
}
