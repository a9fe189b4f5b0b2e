import { expect, test } from 'vitest'
import { createGrouping } from './notice-groups.ts'
import type { Shown } from './notice-groups.ts'

const notice = (title: string, path: string, kind = 'lost-lead', accountId = 'acc') => ({
  title,
  text: `About ${title}`,
  account: 'Kestrel Keys',
  accountId,
  kind,
  path,
})

function collected() {
  const shown: Shown[] = []
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

test('one thing is told as it is, and leads to its row', () => {
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

test('several of one kind are one notice that leads to their page; another kind and another account are told apart', () => {
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

test('what comes later is a notice of its own', () => {
  const { tell, passTime, shown } = collected()
  tell(notice('First', '/offers/off_1'))
  passTime()
  tell(notice('Second', '/offers/off_2'))
  passTime()
  expect(shown.map(({ title }) => title)).toEqual(['First', 'Second'])
})
