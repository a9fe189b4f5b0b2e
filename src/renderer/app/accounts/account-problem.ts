import type { Account } from '../../../contract/app/accounts.ts'
import type { Problem } from '../../../contract/base.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'

export interface AccountProblem {
  /** For the status bar. */
  short: string
  /** For the bar under the header: the problem, its effect and the remedy. */
  title: string
  text: string
  code: ProblemCode | null
  /** Whether entering another key fixes it. */
  needsKey: boolean
}

/**
 * Problems that the bar under the header already shows. A toast would repeat them and cover the
 * bar's button.
 */
const codesShownInBar: ReadonlySet<ProblemCode> = new Set([
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
  'KEY_MISSING',
  'OFFLINE',
])
export const isShownInBar = (problem: Problem): boolean => codesShownInBar.has(problem.code)

/** The problem that keeps an account from working; null when it works. */
export function accountProblem(account: Account): AccountProblem | null {
  switch (account.state) {
    case 'ready':
      return null
    case 'key-missing':
      return {
        short: 'Key missing',
        title: 'The API key isn’t on this computer anymore.',
        text: 'You’re seeing data from the last sync. Enter the key to continue.',
        code: null,
        needsKey: true,
      }
    case 'address-unconfirmed':
      return {
        short: 'Address not confirmed',
        title: 'A restored backup changed this account’s address.',
        text:
          `It was ${account.addressBefore ?? 'another one'} and is now ${account.baseUrl}. ` +
          'No key is sent until you confirm the new address.',
        code: null,
        needsKey: false,
      }
    case 'key-refused':
      return {
        short: 'Key rejected',
        title: 'The service rejected the API key.',
        text:
          'You’re seeing data from the last sync, and nothing is sent. The key was revoked or has ' +
          'expired. Create a new key in the service’s panel and enter it here.',
        code: 'UNAUTHORIZED',
        needsKey: true,
      }
    case 'not-active':
      return {
        short: 'Account not active',
        title: 'The service reports that this account isn’t active.',
        text:
          'You’re seeing data from the last sync, and nothing is sent. Contact the service’s ' +
          'support. Keydesk checks every 5 minutes and resumes automatically.',
        code: 'ACCOUNT_NOT_ACTIVE',
        needsKey: false,
      }
    case 'address-refused':
      return {
        short: 'IP address blocked',
        title: 'The service doesn’t accept this network’s IP address.',
        text:
          'Add it to the key’s allowlist, or connect from an allowed network. Keydesk checks every ' +
          '5 minutes and resumes automatically.',
        code: 'IP_NOT_ALLOWED',
        needsKey: false,
      }
  }
}
