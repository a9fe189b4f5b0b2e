import { useQueryClient } from '@tanstack/react-query'
import { IconPlugConnectedX, IconTerminal2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { inBrowser } from '../../lib/core/core-connection.ts'
import { api, retryNow, useCoreConnection } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useDelay } from '../../ui/feedback/delayed.tsx'
import { ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { useOpenDialog } from '../../ui/hooks/dialog-stack.ts'
import { Brand } from '../shell/brand.tsx'
import styles from './connection-gate.module.css'
import { connectionText } from './connection-text.ts'

/** Milliseconds without a connection after which the page explains why and what to do. */
const explainAfterMs = 10_000

/**
 * Holds back the window until it is connected to the core. While the connection is lost, a cover
 * keeps the page visible and blocks input.
 */
export function ConnectionGate({ children }: { children: ReactNode }) {
  const state = useCoreConnection((line) => line.state)
  const [wasConnected, setWasConnected] = useState(false)
  useEffect(() => {
    if (state === 'connected') setWasConnected(true)
  }, [state])
  if (state === 'no-session') return <NoSession />
  return (
    <>
      {children}
      {state === 'connected' ? null : <LostConnection first={!wasConnected} />}
    </>
  )
}

/**
 * Covers the page and its dialogs, visibly once it takes longer. A call waits for the next
 * connection, so a key or a click now would act at some later time.
 */
function LostConnection({ first }: { first: boolean }) {
  const isShown = useDelay(first ? 300 : 600)
  const met = useCoreConnection((line) => line.met)
  const long = useDelay(explainAfterMs)
  const cover = useRef<HTMLDialogElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useOpenDialog(true)
  // A modal element makes everything else inert, and gives the focus back when it is closed.
  useLayoutEffect(() => {
    const element = cover.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    if (long) button.current?.focus()
  }, [long])
  // Known from before the connection was lost; nothing can be read now.
  const info = useQueryClient().getQueryData(api.app.info.queryKey())
  const { title, text } = connectionText({
    first,
    met: long ? met : null,
    inBrowser: inBrowser(),
    dataFolder: info?.dataFolder ?? null,
  })
  return (
    <dialog
      ref={cover}
      className={styles.cover}
      data-first={first || undefined}
      data-quiet={!isShown || undefined}
      data-portal
      role="alertdialog"
      aria-modal="true"
      aria-label={title}
      // Otherwise the second Escape closes it.
      closedby="none"
    >
      <div className={styles.card}>
        {first && (!long || met !== 'nobody') ? (
          <ProgressRing size={20} label="Starting" />
        ) : (
          <IconPlugConnectedX size={20} stroke={1.6} color="var(--kd-warn)" aria-hidden />
        )}
        <div aria-live="polite">
          <h1>{title}</h1>
          <p>{text}</p>
          {long && inBrowser() ? (
            <Button ref={button} onClick={retryNow}>
              Retry now
            </Button>
          ) : null}
        </div>
      </div>
    </dialog>
  )
}

function NoSession() {
  return (
    <div className={styles.full}>
      <Brand />
      <main className={styles.card} role="alert">
        <IconTerminal2 size={20} stroke={1.6} aria-hidden />
        <div>
          <h1>This address was already used or has expired</h1>
          <p>
            Each address opens Keydesk once, within a minute. Start Keydesk again to open a new one,
            or press <b>o</b> in the terminal where it runs. Nothing was changed.
          </p>
          <Button onClick={() => location.reload()}>Try again in this tab</Button>
        </div>
      </main>
    </div>
  )
}
