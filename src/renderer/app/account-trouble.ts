import type { Account } from '../../contract/accounts.ts'
import type { Problem } from '../../contract/base.ts'

export interface Trouble {
  /** For the status bar. */
  short: string
  /** For the bar under the header: what it is, what it means, what to do. */
  title: string
  text: string
  code: string | null
  /** Whether another key mends it. */
  rekey: boolean
}

/**
 * What the bar under the header tells as long as it is so: a toast over it would say the same, and
 * lie on its button.
 */
const toldByBar: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
  'KEY_MISSING',
  'OFFLINE',
])
export const isToldByBar = (problem: Problem): boolean => toldByBar.has(problem.code)

/** What keeps an account from working; null when it works. */
export function accountTrouble(account: Account): Trouble | null {
  switch (account.state) {
    case 'ready':
      return null
    case 'key-missing':
      return {
        short: 'Key missing',
        title: 'Its key is not on this machine any more.',
        text: 'You see what was read before. Enter the key to go on.',
        code: null,
        rekey: true,
      }
    case 'key-refused':
      return {
        short: 'Key refused',
        title: 'The service refuses the key.',
        text: 'You see what was read before, nothing is sent. It was revoked or has expired: make a new key in the service’s panel and enter it here.',
        code: 'UNAUTHORIZED',
        rekey: true,
      }
    case 'not-active':
      return {
        short: 'Account not active',
        title: 'The service says this account is not active.',
        text: 'You see what was read before, nothing is sent. Ask the service’s support; Keydesk looks again every 5 minutes and goes on by itself.',
        code: 'ACCOUNT_NOT_ACTIVE',
        rekey: false,
      }
    case 'address-refused':
      return {
        short: 'Address refused',
        title: 'The service does not accept this network’s address.',
        text: 'Add it to the allowlist of the key, or connect from an allowed network. Keydesk looks again every 5 minutes and goes on by itself.',
        code: 'IP_NOT_ALLOWED',
        rekey: false,
      }
  }
}
