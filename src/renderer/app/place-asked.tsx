import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../contract/accounts.ts'
import { useAskedPlace } from '../lib/asked-place.ts'
import { toast } from '../ui/toasts.tsx'
import { useChangeSettings } from './use-desk.ts'

/**
 * Goes where a link or a notice of the system leads, bringing its account to the front. It shows,
 * and does nothing else.
 */
export function PlaceAsked({
  accounts,
  account,
}: {
  accounts: readonly Account[]
  account: Account
}) {
  const [, go] = useLocation()
  const change = useChangeSettings()
  const place = useAskedPlace((asked) => asked.place)
  useEffect(() => {
    if (place === null) return
    useAskedPlace.setState({ place: null })
    if (place.accountId !== null && !accounts.some(({ id }) => id === place.accountId))
      return void toast({
        kind: 'bad',
        title: 'The link leads nowhere',
        text: 'Its account is not on this desk.',
      })
    if (place.accountId !== null && place.accountId !== account.id)
      change({ currentAccountId: place.accountId })
    go(place.path)
  }, [place, accounts, account.id, change, go])
  return null
}
