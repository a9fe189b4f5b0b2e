import type { Account, Connection } from '../../../contract/app/accounts.ts'
import { useAccount } from './current-account.ts'
import { useServiceConnection } from './service-connection.ts'

/**
 * Why nothing can be ordered or downloaded now; null: it can. A connection that is slow or just
 * starting is no obstacle, because the call itself finds out.
 */
export function sendingBlock(
  { state }: Pick<Account, 'state'>,
  connection: Pick<Connection, 'state'> | undefined,
): string | null {
  if (state === 'key-missing') return 'The API key isn’t on this computer.'
  if (connection?.state === 'refused') return 'The service rejects the API key.'
  return connection?.state === 'offline' ? 'There’s no connection to the service.' : null
}

/** {@link sendingBlock} for the current account. */
export function useSendingBlock(): string | null {
  const account = useAccount()
  return sendingBlock(account, useServiceConnection(account))
}
