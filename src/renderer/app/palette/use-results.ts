import type { Account } from '../../../contract/app/accounts.ts'
import { matches, type PaletteItem } from './items.ts'
import { useActions } from './use-actions.ts'
import { type Matches, useMatches } from './use-matches.ts'
import type { RowActions } from './use-row-actions.ts'

/**
 * The palette's content: records from the mirror, actions on the first of them, then general
 * actions and pages. `>` limits it to actions.
 */
export function useResults(
  account: Account,
  accounts: readonly Account[],
  typed: string,
  rowActions: RowActions,
): Matches {
  const onlyActions = typed.startsWith('>')
  const query = (onlyActions ? typed.slice(1) : typed).trim()
  const found = useMatches(account, onlyActions ? '' : query, rowActions)
  const actions = useActions(account, accounts)
  // An offer or order is more specific than its product.
  const first =
    found.items.find(({ group }) => group === 'Your offers' || group === 'Orders') ?? found.items[0]
  const ofFirst: readonly PaletteItem[] = first?.actions ?? []
  return {
    ...found,
    items: [...found.items, ...ofFirst, ...actions.filter((item) => matches(item.name, query))],
  }
}
