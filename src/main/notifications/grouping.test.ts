import { expect, test } from 'vitest'
import { createGrouping } from './grouping.ts'
import type { GroupedNotification } from './grouping.ts'

const notice = (title: string, path: string, kind = 'lost-lead', accountId = 'acc') => ({
  title,
  text: `About ${title}`,
  account: 'Kestrel Keys',
  accountId,
  kind,
  path,
})

function collected() {
  const shown: GroupedNotification[] = []
  const due: (() => void)[] = []
  return {
    shown,
    passTime: () => {
      for (const work of due.splice(0)) work()
    },
    ...createGrouping(
      (work) => void due.push(work),
      (each) => void shown.push(each),
    ),
  }
}

test('shows a single notice as it is, linked to its row', () => {
  const { tell, passTime, shown } = collected()
  tell(notice('Lost the lead on Cinderkeep', '/offers/off_1'))
  expect(shown).toEqual([])
  passTime()
  expect(shown).toEqual([
    {
      title: 'Lost the lead on Cinderkeep',
      body: 'About Lost the lead on Cinderkeep\nKestrel Keys',
      path: '/offers/off_1',
      accountId: 'acc',
    },
  ])
})

test('combines several of one kind with a link to their page, separately per kind and account', () => {
  const { tell, passTime, shown } = collected()
  for (let at = 1; at <= 5; at++) tell(notice(`Offer ${at}`, `/offers/off_${at}`))
  tell(notice('Dispute', '/disputes/dsp_1', 'dispute-new'))
  tell(notice('Elsewhere', '/offers/off_9', 'lost-lead', 'other'))
  passTime()
  expect(shown.map(({ title, path }) => [title, path])).toEqual([
    ['Offer 1, and 4 more', '/offers'],
    ['Dispute', '/disputes/dsp_1'],
    ['Elsewhere', '/offers/off_9'],
  ])
  expect(shown[0]?.body).toBe('Offer 2\nOffer 3\nand 2 more\nKestrel Keys')
})

test('shows later notices separately', () => {
  const { tell, passTime, shown } = collected()
  tell(notice('First', '/offers/off_1'))
  passTime()
  tell(notice('Second', '/offers/off_2'))
  passTime()
  expect(shown.map(({ title }) => title)).toEqual(['First', 'Second'])
})
