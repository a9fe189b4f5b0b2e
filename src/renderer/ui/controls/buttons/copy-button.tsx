import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

/**
 * Copies a value and shows a check mark for 2 seconds. `label` names the value and never contains
 * it when it is secret.
 */
export function CopyButton({
  onCopy,
  label,
  small = true,
}: {
  onCopy: () => void | Promise<void>
  label: string
  small?: boolean
}) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2000)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <IconButton
      label={done ? 'Copied' : label}
      small={small}
      onClick={() => {
        void Promise.resolve(onCopy()).then(
          () => setDone(true),
          () => setDone(false),
        )
      }}
    >
      {done ? (
        <IconCheck size={15} stroke={1.8} color="var(--kd-ok)" />
      ) : (
        <IconCopy size={15} stroke={1.6} />
      )}
    </IconButton>
  )
}
