import { expect, test } from 'vitest'
import { downloadState } from './download-state.ts'

const at = Date.UTC(2026, 0, 5, 9)
const order = { deliveredUnits: 5, keys: [], firstDownloadedAt: null, downloadedHereAt: null }

test('offers all keys of an order that was never downloaded', () => {
  expect(downloadState(order)).toEqual({ missing: 5, recordedAt: null, before: 'nowhere' })
})

test('offers the other keys of an order whose first keys were downloaded here', () => {
  const some = { ...order, keys: ['a', 'b'], firstDownloadedAt: at, downloadedHereAt: at }
  expect(downloadState(some)).toEqual({ missing: 3, recordedAt: at, before: 'here' })
})

test('isn’t the first download if only this computer has recorded one', () => {
  const some = { ...order, keys: ['a'], downloadedHereAt: at }
  expect(downloadState(some)).toEqual({ missing: 4, recordedAt: at, before: 'here' })
})

test('says if the keys were downloaded on another computer', () => {
  const some = { ...order, firstDownloadedAt: at }
  expect(downloadState(some)).toEqual({ missing: 5, recordedAt: at, before: 'elsewhere' })
})

test('offers no key if a replacement is the only new one', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'replacement']
  expect(downloadState({ ...order, keys, firstDownloadedAt: at }).missing).toBe(0)
})
