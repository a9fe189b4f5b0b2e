import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { useRequestedPage } from '../../lib/requested-page.ts'
import { toast } from '../../ui/feedback/toasts.tsx'
import { useChangeSettings } from '../use-app-state.ts'

/**
 * Opens the target of a link or system notification and switches to its account. It only navigates
 * and never performs an action.
 */
export function OpenRequestedPage({
  accounts,
  account,
}: {
  accounts: readonly Account[]
  account: Account
}) {
  const [, go] = useLocation()
  const change = useChangeSettings()
  const place = useRequestedPage((asked) => asked.place)
  useEffect(() => {
    if (place === null) return
    const isHere = place.accountId === null || place.accountId === account.id
    // The page opens after the switch: the other account's role may not have it, and leads home.
    if (!isHere && accounts.some(({ id }) => id === place.accountId))
      return change({ currentAccountId: place.accountId })
    useRequestedPage.setState({ place: null })
    if (isHere) return go(place.path)
    toast({
      kind: 'bad',
      title: 'Link not found',
      text: 'Its account isn’t connected on this computer.',
    })
  }, [place, accounts, account.id, change, go])
  return null
}
