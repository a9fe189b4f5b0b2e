import { expect, test } from 'vitest'
import type { Notice } from '../../../contract/app/notices.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { newNotices } from './new-notices.ts'

const notice = (noticeId: string): Notice => ({
  noticeId,
  at: 0,
  accountId: 'a',
  kind: 'lost-lead',
  title: localized('text', { text: '' }),
  text: localized('text', { text: '' }),
  path: '/offers',
  seen: false,
})

test('reports each new notice once, oldest first, and none from before the page was opened', () => {
  const first = [notice('b'), notice('a')]
  expect(newNotices(null, first)).toEqual([])
  const known = new Set(first.map(({ noticeId }) => noticeId))
  expect(
    newNotices(known, [notice('d'), notice('c'), ...first]).map(({ noticeId }) => noticeId),
  ).toEqual(['c', 'd'])
  expect(newNotices(known, first)).toEqual([])
})
