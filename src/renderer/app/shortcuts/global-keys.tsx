import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { goBack, goForward } from '../../lib/page-history.ts'
import { isKeyOfDialog, isTyping, useShortcut } from '../../ui/hooks/shortcuts.ts'
import { redoLast, undoLast } from '../../ui/feedback/toasts.tsx'
import { pagesOf, settingsPage } from '../pages/pages.ts'
import { setScreen, useScreen } from '../shell/screen-store.ts'
import { useSwitchAccount } from '../accounts/use-switch-account.ts'
import { useAppState } from '../use-app-state.ts'
import { StopKey } from '../../features/price-watch/status/stop-all.tsx'

const chordMs = 1500

/**
 * Shortcuts that work everywhere: the palette, the shortcut sheet, Ctrl+digit for an account, G
 * then a letter for a page, and Ctrl+Z.
 */
export function GlobalKeys({
  accounts,
  account,
}: {
  accounts: readonly Account[]
  account: Account
}) {
  const [, go] = useLocation()
  const switchTo = useSwitchAccount()
  const letters = useAppState().settings?.singleLetterShortcuts ?? true
  const chordUntil = useRef(0)
  useShortcut('Ctrl+K', () => setScreen({ palette: !useScreen.getState().palette }), {
    where: 'everywhere',
  })
  useShortcut('?', () => setScreen({ shortcuts: true }))
  useShortcut('Alt+ArrowLeft', () => goBack())
  useShortcut('Alt+ArrowRight', goForward)
  useShortcut('F1', () => setScreen({ shortcuts: true }))
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isKeyOfDialog()) return
      const ctrl = event.ctrlKey || event.metaKey
      if (ctrl && !event.altKey && !event.shiftKey && /^[1-9]$/.test(event.key)) {
        const target = accounts[Number(event.key) - 1]
        event.preventDefault()
        if (target !== undefined) switchTo(target)
        return
      }
      if (isTyping(event)) return
      if (ctrl && event.key.toLowerCase() === 'z') {
        if (event.altKey) setScreen({ undoHistory: true })
        else if (event.repeat) event.preventDefault()
        else if (event.shiftKey ? !redoLast() : !undoLast()) return
        event.preventDefault()
        return
      }
      if (ctrl || event.altKey || !letters) return
      if (event.timeStamp < chordUntil.current) {
        chordUntil.current = 0
        const page = [...pagesOf(account.role), settingsPage].find(
          (each) => each.letter === event.key.toUpperCase(),
        )
        if (page === undefined) return
        event.preventDefault()
        event.stopImmediatePropagation()
        go(page.path)
      } else if (event.key.toLowerCase() === 'g') {
        // From now, not from the press: while the page was busy, nothing showed that G has arrived.
        chordUntil.current = performance.now() + chordMs
        event.preventDefault()
      }
    }
    // Handle chords before the page's own single-letter shortcuts, so that those don't receive the
    // second letter.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [accounts, account.role, go, letters, switchTo])
  return <StopKey />
}
