import { expect, test } from 'vitest'
import { shownTopics } from './in-front.ts'

test('what is shown is known from the queries on the screen; what has no account or is no topic is left out', () => {
  const shown = shownTopics([
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
