import { expect, test } from 'vitest'
import { visibleTopics } from './visible-topics.ts'

test('reads visible topics from active queries, and leaves out queries without an account or topic', () => {
  const shown = visibleTopics([
    [['offers', 'list'], { input: { accountId: 'a', query: 'x' }, type: 'query' }],
    [['offers', 'offer'], { input: { accountId: 'a', offerId: 'off_1' }, type: 'query' }],
    [['sales', 'list'], { input: { accountId: 'a' }, type: 'infinite' }],
    [['disputes', 'list'], { input: { accountId: 'b' }, type: 'query' }],
    [['app', 'jobs'], { type: 'query' }],
    [['accounts', 'list'], { type: 'query' }],
    ['something else'],
  ])
  expect(shown).toEqual(
    new Map([
      ['a', ['offers', 'sales']],
      ['b', ['disputes']],
    ]),
  )
})
