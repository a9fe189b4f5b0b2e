import { expect, it } from 'vitest'
import { rowsToShow } from './report-rows.ts'

const row = (key: string, claims: number, name = key) => ({
  key,
  name,
  claims,
  replaced: 0,
  refunded: claims,
  rejected: 0,
  open: 0,
})
const sum = (rows: readonly { claims: number }[]): number =>
  rows.reduce((total, { claims }) => total + claims, 0)

it('adds up in every form: the rows that aren’t shown are one row with their number', () => {
  const rows = Array.from({ length: 20 }, (_, at) => row(`p${at}`, 20 - at))
  const { shown, hidden } = rowsToShow(rows, false)
  expect([shown.length, hidden, shown.at(-1)]).toMatchObject([
    13,
    8,
    { key: 'others', name: '8', claims: 36, refunded: 36 },
  ])
  expect(sum(shown)).toBe(sum(rows))
  expect(rowsToShow(rows, true)).toEqual({ shown: rows, hidden: 0 })
})

it('keeps what the core already summed up, and hides no single row', () => {
  const rows = [...Array.from({ length: 14 }, (_, at) => row(`p${at}`, 5)), row('others', 30, '25')]
  expect(rowsToShow(rows, false).shown.at(-1)).toMatchObject({ name: '27', claims: 40 })
  expect(rowsToShow(rows, true).shown.at(-1)).toMatchObject({ name: '25', claims: 30 })
  expect(rowsToShow(rows.slice(0, 13), false)).toMatchObject({ hidden: 0 })
})
