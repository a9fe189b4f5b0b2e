import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ZERO } from '../../../../../server/api/money.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { api } from '../../../lib/core/rpc.ts'
import { BulkResultsButton } from './inbox.tsx'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the id is read
const shop = (id: string) => ({ id }) as Account
const bulk: BulkReply = {
  bulkId: 'b1',
  outcome: 'reply',
  writtenAt: 0,
  lines: [],
  retry: { planId: '', count: 0, refundCents: ZERO, keys: 0, typed: null },
}

test('leads to the bulk replies of every listed shop', () => {
  const client = new QueryClient()
  const put = (accountId: string, bulks: BulkReply[]): void =>
    void client.setQueryData(api.disputes.bulkReplies.queryKey({ input: { accountId } }), bulks)
  put('current', [])
  put('other', [bulk])
  const buttonOf = (...accounts: Account[]): string =>
    renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <BulkResultsButton accounts={accounts} onResults={() => {}} />
      </QueryClientProvider>,
    )
  expect(buttonOf(shop('current'))).toBe('')
  expect(buttonOf(shop('current'), shop('other'))).toContain('aria-label="Bulk replies"')
})
