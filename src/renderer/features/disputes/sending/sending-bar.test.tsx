import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DisputeReply } from '../../../../contract/disputes/dispute-replies.ts'
import { api } from '../../../lib/core/rpc.ts'
import { SendingBar } from './sending-bar.tsx'

const held = (accountId: string, replyId: string, leftMs: number): DisputeReply => ({
  replyId,
  bulkId: null,
  accountId,
  disputeId: 'dsp_1',
  name: 'Quarry of Glass',
  outcome: 'reply',
  state: 'held',
  answered: false,
  text: null,
  leftMs,
  problem: null,
})

test('offers to undo the held replies of every listed shop, the latest first', () => {
  const client = new QueryClient()
  const put = (accountId: string, ...replies: DisputeReply[]): void => {
    const queryKey = api.disputes.replies.queryKey({ input: { accountId } })
    client.setQueryData(queryKey, replies, { updatedAt: Date.now() })
  }
  put('kestrel', held('kestrel', 'r1', 2000))
  put('amber', held('amber', 'r2', 8000))
  put('closed', held('closed', 'r3', 9000))
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <SendingBar accountIds={['kestrel', 'amber']} accountName={(id) => `${id} LIVE`} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect([...html.matchAll(/(\w+ LIVE) · /g)].map(([, name]) => name)).toEqual([
    'amber LIVE',
    'kestrel LIVE',
  ])
  expect(html.match(/>Undo</g)).toHaveLength(2)
})
