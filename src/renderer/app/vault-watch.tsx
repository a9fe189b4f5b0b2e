import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, rpc } from '../lib/rpc.ts'
import { useShortcut } from '../ui/shortcuts.ts'
import { toast, toastProblem } from '../ui/toasts.tsx'
import { problemOf } from '../lib/problem.ts'

const tellEveryMs = 30_000

const lockWords = {
  time: 'Nobody used Keydesk for a while.',
  sleep: 'The machine went to sleep.',
  screen: 'The screen was locked.',
} as const

/** Locks the vault and says so; everything revealed is masked again. */
export async function lockVault(): Promise<void> {
  try {
    await rpc.vault.lock()
    window.dispatchEvent(new Event('keydesk:lock'))
    toast({
      title: 'The vault is locked',
      text: 'Revealed keys are hidden again. What needs it waits and goes on when it is opened.',
    })
  } catch (error) {
    toastProblem(problemOf(error))
  }
}

/**
 * Keeps the screen and the vault's lock in step: hides what is revealed whenever it locks, tells
 * the core that somebody is here, and locks by Ctrl+Shift+L.
 */
export function VaultWatch() {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const state = vault?.state
  const lockedBy = vault?.lockedBy ?? null
  useShortcut('Ctrl+Shift+L', () => void lockVault(), { inDialog: true })
  useEffect(() => {
    if (state !== 'locked') return
    window.dispatchEvent(new Event('keydesk:lock'))
    if (lockedBy !== null && lockedBy !== 'person')
      toast({
        id: 'vault-locked',
        title: 'The vault is locked',
        text: `${lockWords[lockedBy]} What needs it waits and goes on when it is opened.`,
      })
  }, [state, lockedBy])
  useEffect(() => {
    let told = 0
    const used = (): void => {
      if (Date.now() - told < tellEveryMs) return
      told = Date.now()
      void rpc.vault.inUse().catch(() => {})
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
