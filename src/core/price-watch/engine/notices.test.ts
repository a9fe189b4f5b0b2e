import { expect, test } from 'vitest'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { monotonicAt } from '../../clock.ts'
import type { StoredRule } from '../rules/facts.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { createPauseNotices, createNoticeCollector } from './notices.ts'
import { HOUR_MS } from '../../../../server/api/time.ts'

const ruleOf = (some: Partial<StoredRule>, endsAt: number | null = null): StoredRule => ({
  ruleId: 'r',
  revision: 1,
  mode: 'auto',
  ...some,
  rule: { ...newRuleDefaults, name: 'Night', endsAt },
})

test('groups events of many offers into one notice, and repeats it for one offer after an hour', () => {
  let now = 0
  const telling = createNoticeCollector({ monotonic: () => monotonicAt(now) })
  const limit = (offerId: string) => ({
    reason: 'daily-limit' as const,
    offerId,
    name: `Product ${offerId}`,
  })
  telling.add(limit('1'))
  expect(formatMessages(telling.take())).toMatchObject([
    { title: 'Daily limit reached: Product 1', path: '/watch/market/1' },
  ])
  now = HOUR_MS - 1
  for (const offerId of ['1', '2', '3', '4', '5']) telling.add(limit(offerId))
  expect(formatMessages(telling.take())).toMatchObject([
    {
      title: 'Daily limit reached: 4 offers',
      text: 'Product 2, Product 3, Product 4 and 1 more.',
      path: '/watch/market',
    },
  ])
  now = HOUR_MS
  telling.add(limit('1'))
  expect(telling.take()).toHaveLength(1)
  expect(telling.take()).toEqual([])
})

test('announces an expired rule once, but not if it had expired before the start or was switched off', () => {
  const ends = ruleOf({}, 100)
  expect(
    createPauseNotices()({ at: 100, suspended: false, rules: [ends] }),
    'expired before the first pass',
  ).toEqual([])
  const pauses = createPauseNotices()
  const titles = (at: number, rules: StoredRule[]) =>
    pauses({ at, suspended: false, rules }).map(({ title, path }) => [formatMessage(title), path])
  expect(titles(99, [ends])).toEqual([])
  expect(titles(100, [ends])).toEqual([['Rule expired: Night', '/watch/rules/r']])
  expect(titles(101, [ends])).toEqual([])
  const switchedOff = createPauseNotices()
  switchedOff({ at: 99, suspended: false, rules: [ends] })
  expect(switchedOff({ at: 100, suspended: false, rules: [{ ...ends, mode: 'off' }] })).toEqual([])
})

test('announces each time that auto-apply is suspended', () => {
  const pauses = createPauseNotices()
  const told = [true, true, false, true].map(
    (suspended, at) => pauses({ at, suspended, rules: [ruleOf({})] }).length,
  )
  expect(told).toEqual([0, 0, 0, 1])
})
