import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { CurrentAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Conversation } from './conversation.tsx'

const AHEAD_MS = 14 * DAY_MS
const NOON = new Date(2026, 10, 24, 12).getTime()
const shop = (id: string, clockOffsetMs: number) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are read
  ({ id, clockOffsetMs }) as Account

test('dates the messages of another shop’s dispute by that shop’s service', () => {
  vi.spyOn(Date, 'now').mockReturnValue(NOON)
  const shops = [shop('current', 0), shop('other', AHEAD_MS)]
  const client = new QueryClient()
  client.setQueryData(api.accounts.list.queryKey(), shops)
  const sent = { own: null, attachments: [], position: 0, body: 'It was used already.' }
  const detail = {
    accountId: 'other',
    disputeId: 'dsp_1',
    status: 'open',
    mine: false,
    locked: false,
    readAt: 0,
    conversation: [{ ...sent, author: 'customer', at: NOON + AHEAD_MS }],
    replies: [],
    pending: [],
    waiting: [],
    actions: [],
  }
  const nothing = (): void => {}
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <CurrentAccount value={shops[0] ?? null}>
          <Conversation
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are read
            detail={detail as unknown as DisputeDetail}
            newFrom={null}
            onDismissAnswer={nothing}
            onDismissReply={nothing}
            onDismissAction={nothing}
            onOpenVault={nothing}
          />
        </CurrentAccount>
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect(html).toMatch(/<time [^>]*>today, /)
})
