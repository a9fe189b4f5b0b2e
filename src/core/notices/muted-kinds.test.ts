import { expect, it } from 'vitest'
import { localized } from '../../contract/localization/localized.ts'
import { openDatabase } from '../mirror/database/open-database.ts'
import { createChanges } from '../changes.ts'
import { systemRandomness } from '../randomness.ts'
import { temporaryFolder } from '../testing/context.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createNotices, noticesSchema } from './notices.ts'

it('lists a muted kind without counting it or showing it on the desktop; counts right after a start', () => {
  const folder = temporaryFolder()
  const database = openDatabase(`${folder.path}/harness.db`, [noticesSchema])
  const shown: string[] = []
  let counted = 0
  const begin = () =>
    createNotices({
      database,
      changes: createChanges(),
      clock: manualClock(),
      random: systemRandomness,
      accountName: () => 'Kestrel',
      stop: () => ['low-stock'],
      system: {
        show: ({ title }) => void shown.push(title),
        unseen: (count) => {
          counted = count
        },
      },
    })
  const notices = begin()
  for (const kind of ['low-stock', 'empty'] as const)
    notices.notify({
      accountId: 'a',
      kind,
      title: localized('text', { text: kind }),
      text: localized('offers.empty-effect'),
      path: '/offers',
    })
  expect([shown, counted]).toEqual([['empty'], 1])
  expect(notices.list().map(({ kind, seen }) => [kind, seen])).toEqual([
    ['empty', false],
    ['low-stock', true],
  ])
  counted = 0
  begin()
  expect(counted, 'counts unseen notices right after a start').toBe(1)
  database.close()
  folder.remove()
})
