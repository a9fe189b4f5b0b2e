import { createContext, useContext } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'

/** The current account. The shell provides it to every page. */
export const CurrentAccount = createContext<Account | null>(null)

/** The current account of a page. Pages are shown only while there is one. */
export function useAccount(): Account {
  const account = useContext(CurrentAccount)
  if (account === null) throw new Error('A page was shown without an account')
  return account
}
