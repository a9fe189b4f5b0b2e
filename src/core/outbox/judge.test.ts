import { describe, expect, it } from 'vitest'
import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { judge, noFacts } from './judge.ts'

const facts = (some: Partial<OutboxFacts>): OutboxFacts => ({ ...noFacts, ...some })
const price = (priceCents: number, leadCents: number | null = null): OutboxFacts =>
  facts({ priceCents, leadCents })

describe('what waits, beside what the service says now', () => {
  it.each<[string, OutboxKind, OutboxFacts, OutboxFacts | null, OutboxFacts, string]>([
    ['a price nobody touched', 'offer-price', price(1285), price(1285), price(1240), 'ready'],
    ['a price somebody changed', 'offer-price', price(1285), price(1270), price(1240), 'decide'],
    ['a price that is as wanted', 'offer-price', price(1285), price(1240), price(1240), 'already'],
    [
      'a lead lost meanwhile',
      'offer-price',
      price(1999, 0),
      price(1999, -20),
      price(1980),
      'decide',
    ],
    [
      'further behind than before',
      'offer-price',
      price(1999, -5),
      price(1999, -20),
      price(1980),
      'ready',
    ],
    ['an offer that is gone', 'offer-price', price(1285), null, price(1240), 'gone'],
    [
      'a status nobody touched',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'active' }),
      facts({ status: 'paused' }),
      'ready',
    ],
    [
      'a status that is as wanted',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'paused' }),
      facts({ status: 'paused' }),
      'already',
    ],
    [
      'a status of a new kind',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'blocked' }),
      facts({ status: 'paused' }),
      'decide',
    ],
    [
      'a new offer',
      'offer-new',
      noFacts,
      noFacts,
      facts({ priceCents: 100, status: 'active' }),
      'ready',
    ],
    [
      'a new offer somebody made',
      'offer-new',
      noFacts,
      facts({ priceCents: 120, status: 'active' }),
      facts({ priceCents: 100, status: 'active' }),
      'decide',
    ],
    [
      'a new offer that is there',
      'offer-new',
      noFacts,
      facts({ priceCents: 100, status: 'active' }),
      facts({ priceCents: 100, status: 'active' }),
      'already',
    ],
    [
      'a product that left',
      'offer-new',
      noFacts,
      null,
      facts({ priceCents: 100, status: 'active' }),
      'gone',
    ],
    [
      'an answer to an unchanged dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'open', messages: 2 }),
      noFacts,
      'ready',
    ],
    [
      'an answer after another message',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'open', messages: 3 }),
      noFacts,
      'decide',
    ],
    [
      'an answer to an escalated dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'escalated', messages: 2 }),
      noFacts,
      'decide',
    ],
    [
      'an answer to a resolved dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'resolved', messages: 2 }),
      noFacts,
      'gone',
    ],
  ])('%s', (_, kind, seen, present, wanted, verdict) => {
    const judged = judge(kind, seen, present, wanted)
    expect(judged.verdict).toBe(verdict)
    expect(judged.reason !== null).toBe(verdict === 'decide' || verdict === 'gone')
  })

  it('names nobody who could have changed it', () => {
    expect(judge('offer-price', price(1285), price(1270), price(1240)).reason).toContain(
      '12.85. The service has 12.70 now, set in the seller panel or by another program: it doesn’t say when or by whom',
    )
  })
})
