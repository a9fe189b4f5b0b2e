import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { SandboxFault } from '../../../../contract/sandbox/sandbox-control.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { sandboxAccount } from '../use-sandbox-action.ts'

/** Parses the text. Null if it isn't a JSON list; the core validates its members. */
function readList(text: string): SandboxFault[] | null {
  try {
    const read: unknown = JSON.parse(text)
    // The call's schema rejects an invalid fault and names it.
    return Array.isArray(read) ? (read as SandboxFault[]) : null
  } catch {
    return null
  }
}

/** All faults in the dashboard API's format, to copy into a test or paste from one. */
export function FaultsJson({
  faults,
  onSet,
  onClose,
}: {
  faults: readonly SandboxFault[]
  onSet: (faults: SandboxFault[]) => Promise<void>
  onClose: () => void
}) {
  const [text, setText] = useState(() => JSON.stringify(faults, null, 2))
  const [busy, setBusy] = useState(false)
  const list = readList(text)
  const set = (): void => {
    if (list === null || busy) return
    setBusy(true)
    void onSet(list).then(onClose, () => setBusy(false))
  }
  useShortcut('Ctrl+Enter', set, { where: 'dialog' })
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Faults as JSON"
      account={sandboxAccount}
      width={560}
      lead="The body of PUT /dashboard/faults. It replaces all active faults."
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Ctrl', 'Enter']}
            busy={busy}
            disabled={list === null}
            onClick={set}
          >
            Replace faults
          </Button>
        </>
      }
    >
      <Textarea
        aria-label="Faults as JSON"
        data-autofocus
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: 'kd-mono' }}
        value={text}
        error={list === null ? 'This isn’t a JSON list' : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Dialog>
  )
}
