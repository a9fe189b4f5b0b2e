import type { Account } from '../../../contract/accounts.ts'
import { fits, type PaletteItem } from './items.ts'
import { useActions } from './use-actions.ts'
import { type Found, useFound } from './use-found.ts'
import type { RowActions } from './use-row-actions.ts'

/**
 * What the palette shows: records of the mirror, what can be done to the first of them, then
 * actions and pages. `>` asks for actions only.
 */
export function useResults(
  account: Account,
  accounts: readonly Account[],
  typed: string,
  rowActions: RowActions,
): Found {
  const onlyActions = typed.startsWith('>')
  const query = (onlyActions ? typed.slice(1) : typed).trim()
  const found = useFound(account, onlyActions ? '' : query, rowActions)
  const actions = useActions(account, accounts)
  // An offer or an order is more than the product it is of.
  const first =
    found.items.find(({ group }) => group === 'Your offers' || group === 'Orders') ?? found.items[0]
  const ofFirst: readonly PaletteItem[] = first?.actions ?? []
  return {
    ...found,
    items: [...found.items, ...ofFirst, ...actions.filter((item) => fits(item.name, query))],
  }
}
