import type { SettingsStore } from '../settings/settings.ts'

const HELD = 'held address '

/** Marks an account whose address a restored backup changed. */
export const holdAddress = (
  settings: Pick<SettingsStore, 'remember'>,
  accountId: string,
  before: string,
): void => settings.remember(HELD + accountId, before)

/** The accounts whose keys aren't sent until a person confirms their address. */
export interface HeldAddresses {
  /** The address before the restore; null for an account that isn't held. */
  before(accountId: string): string | null
  confirm(accountId: string): void
}

export const createHeldAddresses = (
  settings: Pick<SettingsStore, 'recall' | 'forget'>,
): HeldAddresses => ({
  before: (accountId) => settings.recall(HELD + accountId),
  confirm: (accountId) => settings.forget(HELD + accountId),
})
