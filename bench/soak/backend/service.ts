/** The service as the soak's clients call it: one typed client per key, every response parsed. */
import { ServiceError } from '../../../server/api/client/client-errors.ts'
import { type CallOptions, createClient } from '../../../server/api/client/client.ts'
import type { ResultOf, InputOf, OperationId } from '../../../server/api/handlers.ts'
import type { Mode } from '../../../server/api/schemas/enums.ts'
import type { Ready } from '../../../server/sandbox-types.ts'
import { fetchTransport } from '../../../server/fetch-transport.ts'
import { type Accounts, requireKnown } from './book.ts'

/**
 * The bundled backend sends every field of the contract, so its responses are typed by the strict
 * schemas.
 */
export type StrictClient = {
  readonly [Op in OperationId]: (
    input: InputOf<Op>,
    options?: CallOptions<AbortSignal>,
  ) => Promise<{ readonly status: number; readonly body: ResultOf<Op>['body'] }>
}

export type Service = {
  readonly dashboard: StrictClient
  partner(index: number, mode: Mode): StrictClient
  seller(index: number): StrictClient
}

/** Connects the accounts of a book with a running service. */
export function connect({ baseUrl, dashboardToken }: Ready, accounts: () => Accounts): Service {
  const clients = new Map<string, StrictClient>()
  const clientOf = (key: string): StrictClient => {
    if (!clients.has(key))
      clients.set(
        key,
        createClient<AbortSignal>({
          baseUrl,
          key,
          send: fetchTransport,
        }) as unknown as StrictClient,
      )
    return requireKnown(clients, key)
  }
  return {
    dashboard: clientOf(dashboardToken),
    partner: (index, mode) => clientOf(accounts().partners[index]?.keys[mode] ?? ''),
    seller: (index) => clientOf(accounts().sellers[index]?.key ?? ''),
  }
}

export type Listed<Row> = {
  readonly body: { readonly hasMore: boolean; readonly results: readonly Row[] }
}

/** Every row of a list, page by page. */
export async function everyRow<Row>(
  read: (query: { page: number; limit: number }) => Promise<Listed<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await read({ page, limit: 100 })
    rows.push(...body.results)
    if (!body.hasMore) return rows
  }
}

/**
 * The service's response, or null for one of the expected rejections. Any other error is thrown
 * again.
 */
export async function unlessRefused<Answer>(
  call: Promise<Answer>,
  codes: readonly string[],
): Promise<Answer | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null
    throw error
  }
}
