import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, rpc } from '../../lib/core/rpc.ts'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { problemOf } from '../../lib/core/problem.ts'

const reportEveryMs = 30_000

const lockReasons = {
  time: 'Keydesk wasn’t used for a while.',
  sleep: 'This computer went to sleep.',
  screen: 'The screen was locked.',
} as const

/** Locks the vault, masks all revealed keys and shows a toast. */
export async function lockVault(): Promise<void> {
  try {
    await rpc.vault.lock()
    window.dispatchEvent(new Event('keydesk:lock'))
    toast({
      title: 'Vault locked',
      text: 'Revealed keys are hidden again. Jobs that need the vault resume when you unlock it.',
      cause: 'vault',
    })
  } catch (error) {
    toastProblem(problemOf(error), null)
  }
}

/**
 * Keeps the window in step with the vault's lock: hides revealed keys whenever it locks, reports
 * user activity to the core, and locks on Ctrl+Shift+L.
 */
export function VaultWatch() {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const state = vault?.state
  const lockedBy = vault?.lockedBy ?? null
  useShortcut('Ctrl+Shift+L', () => void lockVault(), { where: 'everywhere' })
  useEffect(() => {
    if (state !== 'locked') return
    window.dispatchEvent(new Event('keydesk:lock'))
    if (lockedBy !== null && lockedBy !== 'person')
      toast({
        id: 'vault-locked',
        title: 'Vault locked',
        text: `${lockReasons[lockedBy]} Jobs that need the vault resume when you unlock it.`,
        cause: 'vault',
      })
  }, [state, lockedBy])
  useEffect(() => {
    let reportedAt = 0
    const used = (): void => {
      if (Date.now() - reportedAt < reportEveryMs) return
      reportedAt = Date.now()
      void rpc.vault.reportUse().catch(() => {})
    }
    const events = ['pointerdown', 'keydown', 'wheel'] as const
    for (const event of events)
      window.addEventListener(event, used, { capture: true, passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, used, { capture: true })
    }
  }, [])
  return null
}
