import { type Cents, sumCents } from '../../../../../server/api/money.ts'
import type { Account } from '../../../../contract/app/accounts.ts'

/** The figures of one account. */
interface AccountRow {
  account: Pick<Account, 'role' | 'mode' | 'maskedKey' | 'baseUrl' | 'serviceAccountId'>
  currency: string
}

const isTestKey = (maskedKey: string): boolean => maskedKey.startsWith('svc_test_')

/**
 * Rows in groups whose amounts may be added, in the order of the first row of each: one role, mode
 * and currency. A sandbox's money is never part of a LIVE sum, nor test money part of real money.
 */
export function groupsOf<Row extends AccountRow>(rows: readonly Row[]): Row[][] {
  const keyOf = ({ account, currency }: Row): string =>
    JSON.stringify([account.role, account.mode, isTestKey(account.maskedKey), currency])
  return [...Map.groupBy(rows, keyOf).values()]
}

/**
 * The sum of an amount over a group; null while one isn't known, because a partial sum misleads.
 * Two keys of the same shop count once.
 */
export function sumOf<Row extends AccountRow>(
  rows: readonly Row[],
  amountOf: (row: Row) => Cents | null,
): Cents | null {
  const shopOf = ({ account }: Row): string =>
    account.serviceAccountId === null
      ? account.maskedKey
      : JSON.stringify([account.baseUrl, account.serviceAccountId])
  const amounts = [...new Map(rows.map((row) => [shopOf(row), amountOf(row)])).values()]
  const known = amounts.filter((cents) => cents !== null)
  return known.length === amounts.length ? sumCents(known) : null
}
