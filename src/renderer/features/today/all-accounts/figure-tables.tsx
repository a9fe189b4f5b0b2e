import type { ReactNode } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import { CurrentAccount } from '../../../lib/account/current-account.ts'
import { ModeBadge } from '../../../ui/data-display/identity/mode-badge.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { NumberLink, type Place } from '../open-list.tsx'
import { salesIn, salesOfDay } from '../seller/places.ts'
import styles from '../today.module.css'
import { groupsOf, sumOf } from './sums.ts'
import {
  type PartnerFigures,
  type SellerFigures,
  usePartnerFigures,
  useSellerFigures,
} from './use-figures.ts'

interface FiguresRow {
  account: Account
  currency: string
}
interface FigureColumn<Row> {
  name: string
  /** An amount, which is also summed; or a count. */
  cents?: (row: Row) => Cents | null
  count?: (row: Row) => number | null
  /** The list with exactly these records, in the row's account. */
  place?: (row: Row) => Place
}

const sellerColumns: readonly FigureColumn<SellerFigures>[] = [
  { name: 'Sales today', count: ({ sales }) => sales, place: ({ day }) => salesOfDay(day) },
  { name: 'Earned today', cents: ({ earned }) => earned, place: ({ day }) => salesOfDay(day) },
  { name: 'Available', cents: ({ available }) => available },
  { name: 'Pending', cents: ({ pending }) => pending, place: () => salesIn('pending') },
  { name: 'Held', cents: ({ held }) => held, place: () => salesIn('held') },
]
const partnerColumns: readonly FigureColumn<PartnerFigures>[] = [
  { name: 'Orders today (UTC)', count: ({ orders }) => orders },
  { name: 'Paid today (UTC)', cents: ({ paid }) => paid },
  { name: 'Balance', cents: ({ balance }) => balance, place: () => ({ path: '/balance' }) },
]

/** The figures of all accounts, with a sum for those whose money may be added. */
export function FigureTables({ accounts }: { accounts: readonly Account[] }) {
  const sellers = useSellerFigures(accounts.filter(({ role }) => role === 'seller'))
  const partners = usePartnerFigures(accounts.filter(({ role }) => role === 'partner'))
  return (
    <>
      <FigureTable label="Seller accounts" rows={sellers} columns={sellerColumns} />
      <FigureTable label="Partner accounts" rows={partners} columns={partnerColumns} />
    </>
  )
}

function FigureTable<Row extends FiguresRow>({
  label,
  rows,
  columns,
}: {
  label: string
  rows: readonly Row[]
  columns: readonly FigureColumn<Row>[]
}) {
  if (rows.length === 0) return null
  return (
    <table className={styles.figures} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">Currency</th>
        </tr>
      </thead>
      {groupsOf(rows).map((group) => (
        <FigureGroup key={group[0]?.account.id} rows={group} columns={columns} />
      ))}
    </table>
  )
}

/** The rows of accounts whose money may be added, and their sum if there are several. */
function FigureGroup<Row extends FiguresRow>({
  rows,
  columns,
}: {
  rows: readonly Row[]
  columns: readonly FigureColumn<Row>[]
}) {
  const [first] = rows
  return (
    <tbody>
      {rows.map((row) => (
        <CurrentAccount key={row.account.id} value={row.account}>
          <tr>
            <th scope="row">
              <AccountName account={row.account} />
            </th>
            {columns.map((column) => (
              <td key={column.name}>
                <FigureCell row={row} column={column} />
              </td>
            ))}
            <td>{row.currency}</td>
          </tr>
        </CurrentAccount>
      ))}
      {first === undefined || rows.length < 2 ? null : (
        <tr className={styles.sum}>
          <th scope="row">
            <span className={styles.account}>
              {formatCount(rows.length)} accounts <ModeBadge mode={first.account.mode} small />
            </span>
          </th>
          {columns.map(({ name, cents }) => (
            <td key={name}>{cents === undefined ? null : amountText(sumOf(rows, cents))}</td>
          ))}
          <td>{first.currency}</td>
        </tr>
      )}
    </tbody>
  )
}

const amountText = (amount: Cents | null): string => (amount === null ? '–' : formatCents(amount))

function FigureCell<Row>({ row, column }: { row: Row; column: FigureColumn<Row> }): ReactNode {
  const count = column.count?.(row) ?? null
  const text =
    column.cents === undefined
      ? count === null
        ? '–'
        : formatCount(count)
      : amountText(column.cents(row))
  if (column.place === undefined || text === '–') return text
  return <NumberLink place={column.place(row)}>{text}</NumberLink>
}

/** An account's name with the badge of its mode. */
export function AccountName({ account }: { account: Account }) {
  return (
    <span className={styles.account}>
      <b>{account.name}</b> <ModeBadge mode={account.mode} small />
    </span>
  )
}
