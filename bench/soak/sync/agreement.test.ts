import { expect, test } from 'vitest'
import { untilEqual } from './agreement.ts'
import { noDifference } from './truth.ts'

const lost = { ...noDifference, lost: 1 }
/** On a starved machine, the time is over before the first comparison ends. */
const starved = { withinMs: -1, pauseMs: 0 }

test('compares after three more retries although the time is over', async () => {
  let retries = 0
  const look = async () => (retries === 3 ? noDifference : lost)
  const again = async () => void retries++
  expect(await untilEqual(look, again, starved)).toEqual(noDifference)
})

test('gives up when the time is over and three retries changed nothing', async () => {
  let retries = 0
  const again = async () => void retries++
  expect(await untilEqual(async () => lost, again, starved)).toEqual(lost)
  expect(retries).toBe(3)
})

test('retries until the time is over', async () => {
  let retries = 0
  const look = async () => (retries === 6 ? noDifference : lost)
  const again = async () => void retries++
  expect(await untilEqual(look, again, { withinMs: 60_000, pauseMs: 0 })).toEqual(noDifference)
})
