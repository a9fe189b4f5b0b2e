import { describe, expect, it } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { compareFacts, emptyFacts } from './compare-facts.ts'

const facts = (some: Partial<OutboxFacts>): OutboxFacts => ({ ...emptyFacts, ...some })
const price = (priceCents: number, leadCents: number | null = null): OutboxFacts =>
  facts({ priceCents: cents(priceCents), leadCents: leadCents === null ? null : cents(leadCents) })

const reasonOf = (...compared: Parameters<typeof compareFacts>): string => {
  const { reason } = compareFacts(...compared)
  return reason === null ? '' : formatMessage(reason)
}

describe("queued changes compared with the service's current state", () => {
  it.each<[string, OutboxKind, OutboxFacts, OutboxFacts | null, OutboxFacts, string]>([
    ['an unchanged price', 'offer-price', price(1285), price(1285), price(1240), 'ready'],
    [
      'a price that was changed elsewhere',
      'offer-price',
      price(1285),
      price(1270),
      price(1240),
      'decide',
    ],
    [
      'a price that is already as wanted',
      'offer-price',
      price(1285),
      price(1240),
      price(1240),
      'already',
    ],
    [
      'a lead lost since then',
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
      'an unchanged status',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'active' }),
      facts({ status: 'paused' }),
      'ready',
    ],
    [
      'a status that is already as wanted',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'paused' }),
      facts({ status: 'paused' }),
      'already',
    ],
    [
      'an unknown status',
      'offer-status',
      facts({ status: 'active' }),
      facts({ status: 'blocked' }),
      facts({ status: 'paused' }),
      'decide',
    ],
    [
      'a new offer',
      'offer-new',
      emptyFacts,
      emptyFacts,
      facts({ priceCents: cents(100), status: 'active' }),
      'ready',
    ],
    [
      'a new offer that was created elsewhere',
      'offer-new',
      emptyFacts,
      facts({ priceCents: cents(120), status: 'active' }),
      facts({ priceCents: cents(100), status: 'active' }),
      'decide',
    ],
    [
      'a new offer that already exists',
      'offer-new',
      emptyFacts,
      facts({ priceCents: cents(100), status: 'active' }),
      facts({ priceCents: cents(100), status: 'active' }),
      'already',
    ],
    [
      'a product that was removed',
      'offer-new',
      emptyFacts,
      null,
      facts({ priceCents: cents(100), status: 'active' }),
      'gone',
    ],
    [
      'an answer to an unchanged dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'open', messages: 2 }),
      emptyFacts,
      'ready',
    ],
    [
      'an answer after another message',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'open', messages: 3 }),
      emptyFacts,
      'decide',
    ],
    [
      'an answer to an escalated dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'escalated', messages: 2 }),
      emptyFacts,
      'decide',
    ],
    [
      'an answer to a resolved dispute',
      'dispute-answer',
      facts({ status: 'open', messages: 2 }),
      facts({ status: 'resolved', messages: 2 }),
      emptyFacts,
      'gone',
    ],
  ])('compares %s', (_, kind, seen, present, wanted, verdict) => {
    const judged = compareFacts(kind, seen, present, wanted)
    expect(judged.verdict).toBe(verdict)
    expect(judged.reason !== null).toBe(verdict === 'decide' || verdict === 'gone')
  })

  it('names the offer that exists by its price and, if known, its status', () => {
    const existing = (status: string | null): string =>
      reasonOf('offer-new', emptyFacts, facts({ priceCents: cents(123_456), status }), price(100))
    expect(existing('paused')).toBe(
      'You already have an offer for this product, at 1,234.56, paused. Sending changes that offer.',
    )
    expect(existing(null)).toContain('at 1,234.56. Sending')
  })

  it("doesn't name who changed it", () => {
    expect(reasonOf('offer-price', price(1285), price(1270), price(1240))).toContain(
      '12.85. On the service it’s now 12.70, changed in the seller panel or by another program',
    )
  })
})
