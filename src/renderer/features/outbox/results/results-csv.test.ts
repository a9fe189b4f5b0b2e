import { expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { OutboxEntry, OutboxFacts } from '../../../../contract/outbox.ts'
import { canRetry, reasonOf, resultOf, resultsCsv } from './results-csv.ts'

const facts = (price: number | null): OutboxFacts => ({
  priceCents: price === null ? null : cents(price),
  customerCents: null,
  leadCents: null,
  status: null,
  messages: null,
})
const entry = (some: Partial<OutboxEntry> = {}): OutboxEntry => ({
  entryId: 'e1',
  accountId: 'a',
  kind: 'offer-price',
  subjectId: 'off_1',
  title: '=Cinderkeep',
  subtitle: 'Steam · Global',
  state: 'sent',
  verdict: 'ready',
  reason: null,
  seen: facts(400),
  seenAt: 0,
  present: facts(400),
  presentAt: 0,
  wanted: facts(390),
  problem: null,
  writtenAt: 0,
  settledAt: 1,
  ...some,
})
const problem = {
  code: 'SERVICE_UNAVAILABLE',
  what: 'The service is busy.',
  effect: null,
  next: 'Try again.',
  status: 503,
  requestId: null,
  retryAfterMs: null,
} as const

it('names the result of each change, and retries only what was rejected and is unchanged', () => {
  const all = [
    entry(),
    entry({ state: 'unknown' }),
    entry({ state: 'waiting', problem }),
    entry({ state: 'waiting', verdict: 'decide' }),
    entry({ state: 'waiting' }),
  ]
  expect(all.map(resultOf)).toEqual([
    'Sent',
    'Not confirmed, Keydesk is checking',
    'Rejected',
    'Needs your decision',
    'Not sent',
  ])
  expect(all.map(canRetry)).toEqual([false, false, true, false, false])
  expect(all.map(reasonOf)).toEqual(['', '', 'The service is busy.', '', ''])
})

it('writes a row per change, which no spreadsheet evaluates', () => {
  const [, line] = resultsCsv([entry({ state: 'waiting', problem })]).split('\r\n')
  expect(line).toBe(
    'e1,offer-price,off_1,"\'=Cinderkeep",Steam · Global,4.00,3.90,,Rejected,The service is busy.,Try again.',
  )
})
