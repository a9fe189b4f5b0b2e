import type { ReactNode } from 'react'
import { Button } from '../controls/buttons/button.tsx'

/** The buttons of a dialog that Ctrl+Enter submits: Cancel, and the main button. */
export function SubmitActions({
  children: label,
  kind = 'primary',
  ready,
  busy,
  onCancel,
  onSubmit,
}: {
  children: ReactNode
  kind?: 'primary' | 'final'
  /** Whether it can be submitted now. */
  ready: boolean
  busy: boolean
  onCancel: () => void
  onSubmit: () => void
}) {
  return (
    <>
      <Button size="md" keys={['Esc']} onClick={onCancel}>
        Cancel
      </Button>
      <Button
        size="md"
        kind={kind}
        {...(ready && { keys: ['Ctrl', 'Enter'] })}
        busy={busy}
        disabled={!ready && !busy}
        onClick={onSubmit}
      >
        {label}
      </Button>
    </>
  )
}
