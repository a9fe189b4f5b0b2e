import { IconPlugConnectedX, IconTerminal2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLine } from '../lib/rpc.ts'
import { Button } from '../ui/button.tsx'
import { Delayed } from '../ui/delayed.tsx'
import { ProgressRing } from '../ui/progress-ring.tsx'
import { Brand } from './brand.tsx'
import styles from './line-gate.module.css'

/**
 * Holds the screen until there is a line to the core, and lies over it while the line is broken: what is shown stays, nothing can be done
 * until the core answers again.
 */
export function LineGate({ children }: { children: ReactNode }) {
  const state = useLine((line) => line.state)
  const [wasConnected, setWasConnected] = useState(false)
  useEffect(() => { if (state === 'connected') setWasConnected(true) }, [state])
  if (state === 'no-session') return <NoSession />
  return (
    <>
      {children}
      {state === 'connected' ? null : <Delayed key={state} afterMs={wasConnected ? 600 : 300}><Lost first={!wasConnected} /></Delayed>}
    </>
  )
}

function Lost({ first }: { first: boolean }) {
  return (
    <div className={styles.cover} data-first={first || undefined} role="alertdialog" aria-modal="true" aria-label={first ? 'Keydesk starts' : 'The core has stopped'}>
      <div className={styles.card}>
        {first ? <ProgressRing size={20} label="Starting" /> : <IconPlugConnectedX size={20} stroke={1.6} color="var(--kd-warn)" aria-hidden />}
        <div>
          <h1>{first ? 'Keydesk starts' : 'The part of Keydesk that does the work has stopped'}</h1>
          <p>{first ? 'Its core opens the data on this machine.' : 'Nothing is lost: what was under way is written down and goes on when it is back. Reconnecting…'}</p>
        </div>
      </div>
    </div>
  )
}

function NoSession() {
  return (
    <div className={styles.full}>
      <Brand />
      <main className={styles.card} role="alert">
        <IconTerminal2 size={20} stroke={1.6} aria-hidden />
        <div>
          <h1>This address has been used, or is too old</h1>
          <p>An address opens Keydesk once, within a minute. Press <b>o</b> in the terminal where Keydesk runs: it opens a new one. Nothing was changed.</p>
          <Button onClick={() => location.reload()}>Try this tab again</Button>
        </div>
      </main>
    </div>
  )
}
