import { describe, expect, it } from 'vitest'
import { cents, ZERO } from '../../../../../server/api/money.ts'
import type { OutboxEntry, OutboxFacts } from '../../../../contract/outbox.ts'
import { localized } from '../../../../contract/localization/localized.ts'
import {
  discardedText,
  leadEffect,
  currentText,
  kindText,
  seenText,
  verdictTitle,
  wantedText,
} from './cell-texts.ts'

const none: OutboxFacts = {
  priceCents: null,
  customerCents: null,
  leadCents: null,
  status: null,
  messages: null,
}
const now = new Date(2026, 10, 21, 15, 32).getTime()
const at = (hour: number, minute: number): number => new Date(2026, 10, 21, hour, minute).getTime()
const entry = (some: Partial<OutboxEntry>): OutboxEntry => ({
  entryId: 'e',
  accountId: 'a',
  kind: 'offer-price',
  subjectId: 'off_1',
  title: 'Hollow Tide',
  subtitle: 'Steam',
  state: 'waiting',
  verdict: 'ready',
  reason: null,
  seen: { ...none, priceCents: cents(1285) },
  seenAt: at(15, 3),
  present: { ...none, priceCents: cents(1285) },
  presentAt: at(15, 32),
  wanted: { ...none, priceCents: cents(1240) },
  problem: null,
  writtenAt: at(15, 11),
  settledAt: null,
  ...some,
})
const three = (each: OutboxEntry): string[] =>
  [seenText(each, now), currentText(each, now), wantedText(each, now)].map(
    ({ text, detail }) => `${text} | ${detail}`,
  )

describe('a row of the outbox', () => {
  it('shows a price that was changed elsewhere, without who or when', () => {
    expect(
      three(entry({ verdict: 'decide', present: { ...none, priceCents: cents(1270) } })),
    ).toEqual(['12.85 | seen 15:03', '12.70 | changed since 15:03', '12.40 | typed 15:11'])
    expect(
      currentText(entry({ verdict: 'decide', present: { ...none, priceCents: cents(1270) } }), now)
        .tone,
    ).toBe('warn')
  })
  it('shows a lost lead at an unchanged price', () => {
    const lost = entry({
      verdict: 'decide',
      seen: { ...none, priceCents: cents(1999), customerCents: cents(2199), leadCents: ZERO },
      present: {
        ...none,
        priceCents: cents(1999),
        customerCents: cents(2199),
        leadCents: cents(-50),
      },
      wanted: { ...none, priceCents: cents(1980), customerCents: cents(2178) },
    })
    expect(three(lost)).toEqual([
      '19.99, leading | seen 15:03',
      '19.99, behind | best is 21.49, yours 21.99',
      '19.80 | still behind by 0.29',
    ])
    expect(verdictTitle(lost)).toBe('The market moved while you were offline')
  })
  it("shows unchanged facts, the effect, a missing product, and an entry that wasn't compared yet", () => {
    expect(
      three(
        entry({
          present: {
            ...none,
            priceCents: cents(1285),
            customerCents: cents(1414),
            leadCents: cents(-45),
          },
          wanted: { ...none, priceCents: cents(1240), customerCents: cents(1364) },
        }),
      ),
    ).toEqual(['12.85 | seen 15:03', '12.85 | unchanged', '12.40 | takes the lead by 0.05'])
    expect(currentText(entry({ kind: 'offer-new', verdict: 'gone', present: null }), now)).toEqual({
      text: 'Removed from the catalogue',
      detail: 'removed since 15:03',
      tone: 'bad',
    })
    expect(
      currentText(entry({ verdict: 'uncompared', present: null, presentAt: null }), now).detail,
    ).toBe('not compared yet')
  })
  it('shows a status, a new offer and an answer', () => {
    expect(
      three(
        entry({
          kind: 'offer-status',
          verdict: 'already',
          seen: { ...none, status: 'active' },
          present: { ...none, status: 'paused' },
          wanted: { ...none, status: 'paused' },
        }),
      ),
    ).toEqual(['active | seen 15:03', 'paused | changed since 15:03', 'paused | chosen 15:11'])
    expect(
      three(
        entry({
          kind: 'offer-new',
          seen: none,
          present: none,
          wanted: { ...none, priceCents: cents(1698), status: 'paused' },
        }),
      ),
    ).toEqual([
      'in the catalogue | seen 15:03',
      'no offer yet | unchanged',
      'Offer at 16.98 | typed 15:11, paused',
    ])
    expect(
      three(
        entry({
          kind: 'dispute-answer',
          verdict: 'decide',
          seen: { ...none, messages: 1 },
          present: { ...none, messages: 2 },
          wanted: none,
        }),
      ),
    ).toEqual([
      '1 message | seen 15:03',
      '2 messages | written since 15:03',
      'Your answer | written 15:11',
    ])
  })
})

describe('the effect of a price on the lead', () => {
  const behind = { ...none, customerCents: cents(1414), leadCents: cents(-45) }
  const leading = { ...none, customerCents: cents(1414), leadCents: cents(0) }
  it.each([
    [behind, 1364, 'takes the lead by 0.05'],
    [behind, 1369, 'the same as the best price'],
    [behind, 1400, 'still behind by 0.31'],
    [leading, 1400, 'keeps the lead'],
    [leading, 1500, null],
    [{ ...none, customerCents: cents(1414) }, 1, null],
    [null, 1, null],
  ])('shows the effect of %o at %s: %s', (present, customer, said) =>
    expect(leadEffect(present, cents(customer))).toBe(said),
  )
})

it('says of a discarded change whether anything of it may have been sent', () => {
  const event = (code: 'outbox.nothing-sent' | 'outbox.unknown-result' | 'outbox.checking') => ({
    at: 0,
    what: localized('outbox.dropped'),
    detail: localized(code),
  })
  expect(discardedText([event('outbox.checking'), event('outbox.nothing-sent')])).toBe(
    'Nothing was sent.',
  )
  expect(discardedText([event('outbox.checking'), event('outbox.unknown-result')])).toBe(
    'It’s not known whether the service had made this one.',
  )
  expect(discardedText([])).toBe('Nothing was sent.')
})

it('names the edition of the product, which two changes of the same name differ by', () => {
  expect(kindText(entry({ subtitle: 'Steam · Europe · Gift' }))).toBe(
    'Price · Steam · Europe · Gift',
  )
  expect(kindText(entry({ kind: 'dispute-answer', subtitle: '' }))).toBe('Answer')
})
