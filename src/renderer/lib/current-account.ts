import { createContext, useContext } from 'react'
import type { Account } from '../../contract/accounts.ts'

/** The account in front; the shell provides it to every page. */
export const CurrentAccount = createContext<Account | null>(null)

/** The account whose page this is. Pages are shown only while there is one. */
export function useAccount(): Account {
  const account = useContext(CurrentAccount)
  if (account === null) throw new Error('A page was shown without an account')
  return account
}
