import { type RefObject, useEffect } from 'react'
import { useLocation } from 'wouter'
import { keepToastsClear } from '../../ui/feedback/toast-place.ts'
import { closeAccountToasts, closeProblemToasts } from '../../ui/feedback/toasts.tsx'
import { showHistoryOf } from '../../ui/feedback/undo-history.ts'

/**
 * Ties toasts and the undo history to the screen: Ctrl+Z acts on the current account alone, toasts
 * close with their account and problems with their page, and toasts stay off the active row.
 *
 * @param accountId The current account; null without one.
 * @param page The element of the page.
 */
export function useWindowChanges(
  accountId: string | null,
  page: RefObject<HTMLElement | null>,
): void {
  const [path] = useLocation()
  const place = path.split('/')[1]
  useEffect(() => showHistoryOf(accountId), [accountId])
  useEffect(() => (accountId === null ? undefined : closeAccountToasts), [accountId])
  useEffect(() => closeProblemToasts(), [accountId, place])
  useEffect(() => {
    const element = page.current
    return element === null ? undefined : keepToastsClear(element)
  }, [accountId, page])
}
