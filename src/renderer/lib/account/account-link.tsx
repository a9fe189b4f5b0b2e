import type { ReactNode } from 'react'
import { useRequestedPage } from '../requested-page.ts'
import { useAccount } from './current-account.ts'

/**
 * A link to a record of an account; `path` is its page in Keydesk. If the record belongs to another
 * account, the link also switches to that account.
 */
export function AccountLink({
  accountId,
  path,
  className,
  children,
}: {
  accountId: string
  path: string
  className?: string | undefined
  children: ReactNode
}) {
  const here = useAccount().id
  return (
    <a
      href={`#${path}`}
      className={className}
      onClick={(event) => {
        if (accountId === here) return
        event.preventDefault()
        useRequestedPage.setState({ place: { accountId, path } })
      }}
    >
      {children}
    </a>
  )
}
