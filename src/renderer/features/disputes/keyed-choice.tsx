import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'

/** One choice in a dialog's list, chosen with its key or with a click. */
export function KeyedChoice({
  keyName,
  title,
  onChoose,
  children,
}: {
  keyName: string
  title?: string
  onChoose: () => void
  children: ReactNode
}) {
  useShortcut(keyName, onChoose, { where: 'dialog' })
  return (
    <li>
      <Button wide size="md" keys={[keyName]} onClick={onChoose} title={title}>
        {children}
      </Button>
    </li>
  )
}
