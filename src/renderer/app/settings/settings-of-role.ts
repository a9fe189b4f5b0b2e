import type { Account, Role } from '../../../contract/app/accounts.ts'
import type { PolledTopic } from '../../../contract/app/app.ts'
import type { OptionalNoticeKind } from '../../../contract/app/notices.ts'

/** The role whose accounts a setting affects. */
const topicRoles: Record<PolledTopic, Role> = {
  offers: 'seller',
  sales: 'seller',
  disputes: 'seller',
  orders: 'partner',
  balance: 'seller',
}
const noticeRoles: Record<OptionalNoticeKind, Role> = {
  'lost-lead': 'seller',
  'low-stock': 'seller',
  empty: 'seller',
  'offers-changed': 'seller',
  'offers-not-changed': 'seller',
  'price-watch': 'seller',
  'dispute-new': 'seller',
  'dispute-answered': 'seller',
  'dispute-due': 'seller',
  'dispute-not-sent': 'seller',
  'order-failed': 'partner',
  'balance-low': 'partner',
  'claim-settled': 'partner',
  'import-done': 'seller',
  'import-stopped': 'seller',
}

/**
 * Which settings affect any of these accounts. Settings belong to the console, so those of a role
 * are shown as long as one account has it, and all of them before an account is connected.
 */
export function settingsOf(accounts: readonly Pick<Account, 'role'>[]) {
  const has = (role: Role): boolean =>
    accounts.length === 0 || accounts.some((account) => account.role === role)
  return {
    seller: has('seller'),
    topic: (topic: PolledTopic): boolean => has(topicRoles[topic]),
    notice: (kind: OptionalNoticeKind): boolean => has(noticeRoles[kind]),
  }
}
export type SettingsShown = ReturnType<typeof settingsOf>
