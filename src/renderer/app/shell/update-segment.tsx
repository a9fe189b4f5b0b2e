import { Popover } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { UpdateState } from '../../../contract/app/updates.ts'
import { UpdateCard } from '../settings/updates/update-card.tsx'
import styles from '../settings/updates/updates.module.css'
import { useUpdates } from '../settings/updates/use-updates.ts'
import shell from './shell.module.css'

const labels: Partial<Record<UpdateState['status'], string>> = {
  available: 'Update available',
  downloading: 'Downloading update',
  ready: 'Update ready',
  installed: 'Update ready',
  refused: 'Update rejected',
}

/** Opens the card of an update; nothing opens automatically over work. */
export function UpdateSegment() {
  const { state, act } = useUpdates()
  const [opened, setOpened] = useState(false)
  const label = state === undefined ? undefined : labels[state.status]
  if (state === undefined || label === undefined) return null
  return (
    <span className={shell.segment} data-tone={state.status === 'refused' ? 'bad' : 'accent'}>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="top"
        offset={6}
        withArrow
        trapFocus
        returnFocus
        width={424}
      >
        <Popover.Target>
          <button type="button" onClick={() => setOpened(!opened)}>
            {state.status === 'refused' ? null : <IconDownload size={14} stroke={1.6} />}
            {label}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={0} className={styles.popover}>
          {/* The focus starts on the card: no restart is one key press away. */}
          <div tabIndex={-1} data-autofocus>
            <UpdateCard state={state} act={act} />
          </div>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}
