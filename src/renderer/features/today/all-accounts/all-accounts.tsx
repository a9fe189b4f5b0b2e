import type { ReactNode } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import { CurrentAccount, useAccount } from '../../../lib/account/current-account.ts'
import { syncedAt, useServiceConnection } from '../../../lib/account/service-connection.ts'
import { formatMoment } from '../../../ui/format.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { AttentionKinds, AttentionTable } from '../attention.tsx'
import { useLastVisit } from '../last-visit.tsx'
import { PartnerNews } from '../partner/partner-today.tsx'
import { usePartnerAttention } from '../partner/use-attention.ts'
import { SellerNews } from '../seller/seller-today.tsx'
import { useSellerAttention } from '../seller/use-attention.tsx'
import styles from '../today.module.css'
import { AccountName, FigureTables } from './figure-tables.tsx'

/** Renders its children once per account, as that account's. */
function Each({
  accounts,
  children,
}: {
  accounts: readonly Account[]
  children: (account: Account) => ReactNode
}) {
  return accounts.map((account) => (
    <CurrentAccount key={account.id} value={account}>
      {children(account)}
    </CurrentAccount>
  ))
}

/** The open tasks of all accounts, each with its own lists, and the sums of their money. */
export function AllAccountsToday({ accounts }: { accounts: readonly Account[] }) {
  return (
    <>
      <FigureTables accounts={accounts} />
      <AttentionTable amount="EUR">
        <Each accounts={accounts}>
          {({ role }) => (role === 'seller' ? <SellerAttention /> : <PartnerAttention />)}
        </Each>
      </AttentionTable>
    </>
  )
}

/** The news of all accounts since each was last marked as read. */
export function AllAccountsGlance({ accounts }: { accounts: readonly Account[] }) {
  return (
    <Each accounts={accounts}>
      {({ role }) => (role === 'seller' ? <SellerNewsOf /> : <PartnerNewsOf />)}
    </Each>
  )
}

function SellerNewsOf() {
  const { since } = useLastVisit()
  const { name } = useAccount()
  return <SellerNews since={since} title={name} />
}

function PartnerNewsOf() {
  const { since } = useLastVisit()
  const { name } = useAccount()
  return <PartnerNews since={since} title={name} />
}

function SellerAttention() {
  const kinds = useSellerAttention()
  const { name } = useAccount()
  return (
    <>
      <AccountHeading />
      <AttentionKinds kinds={kinds} of={name} />
    </>
  )
}

function PartnerAttention() {
  const kinds = usePartnerAttention()
  const { name } = useAccount()
  return (
    <>
      <AccountHeading />
      <AttentionKinds kinds={kinds} of={name} />
    </>
  )
}

/** The account of the rows below, and how old they are while its service can't be reached. */
function AccountHeading() {
  const account = useAccount()
  const connection = useServiceConnection(account)
  const now = useNow(60_000)
  const last = connection?.state === 'offline' ? syncedAt(connection.synced, null) : undefined
  return (
    <div role="row" className={styles.accountHead}>
      <div role="rowheader">
        <AccountName account={account} />
        {last === undefined ? null : (
          <small>
            {last === null
              ? 'Offline before its first sync was complete'
              : `Offline, data as of ${formatMoment(last, now)}`}
          </small>
        )}
        {account.state === 'ready' ? null : (
          <small>Not connected. Switch to the account to see why.</small>
        )}
      </div>
    </div>
  )
}
