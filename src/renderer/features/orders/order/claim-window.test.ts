import { describe, expect, test } from 'vitest'
import { claimUntilOf } from '../../../../../server/api/limits.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { Claim } from '../../../../contract/claims.ts'
import { claimWindow } from './claim-window.ts'

const start = Date.UTC(2026, 0, 5, 9)
const week = 7 * DAY_MS
const key = (keyId: string, deliveredAt: number) => ({
  keyId,
  claimUntil: claimUntilOf(deliveredAt),
})
/** An order of two keys, the second of which was delivered, and the order completed, 3 days later. */
const order = {
  keys: [key('a', start), key('b', start + 3 * DAY_MS)],
  units: 2,
  deliveredUnits: 2,
  claimUntil: claimUntilOf(start + 3 * DAY_MS),
}
const none: ReadonlyMap<string, Pick<Claim, 'state'>> = new Map()

describe('the claim window of an order', () => {
  test('ends first for the key that was delivered first', () => {
    expect(claimWindow(order, none, start)).toEqual({
      until: start + week,
      isOver: false,
      keysOver: 0,
      endsLater: true,
      isLatest: false,
    })
    expect(claimWindow(order, none, start + week)?.until).toBe(start + week)
  })

  test('then ends for the next key, until it is over for all', () => {
    expect(claimWindow(order, none, start + week + 1)).toMatchObject({
      until: start + 10 * DAY_MS,
      isOver: false,
      keysOver: 1,
      endsLater: false,
    })
    expect(claimWindow(order, none, start + 10 * DAY_MS + 1)).toMatchObject({
      until: start + 10 * DAY_MS,
      isOver: true,
    })
  })

  test('leaves out keys with a sent claim, whose state the list of keys shows', () => {
    const claims = new Map([['a', { state: 'filed' as const }]])
    expect(claimWindow(order, claims, start)).toMatchObject({
      until: start + 10 * DAY_MS,
      endsLater: false,
    })
    claims.set('b', { state: 'filed' })
    expect(claimWindow(order, claims, start)).toBeNull()
  })

  test.each(['draft', 'refused'] as const)(
    'includes a key whose claim is %s, because the supplier doesn’t have it',
    (state) => {
      expect(claimWindow(order, new Map([['a', { state }]]), start)).toMatchObject({
        until: start + week,
        endsLater: true,
      })
    },
  )

  test('is the same for keys that were delivered within a minute', () => {
    const keys = [key('a', start), key('b', start + 59_000)]
    expect(claimWindow({ ...order, keys }, none, start)).toMatchObject({ endsLater: false })
  })

  test('is known for the keys of an order that is still being delivered', () => {
    const keys = [key('a', start)]
    const open = { keys, units: 2, deliveredUnits: 1, claimUntil: null }
    expect(claimWindow(open, none, start)).toMatchObject({ until: start + week, isLatest: false })
    expect(claimWindow({ ...open, keys: [] }, none, start)).toBeNull()
  })

  test('ends by completion at the latest for keys that aren’t on this computer', () => {
    expect(claimWindow({ ...order, keys: [] }, none, start)).toMatchObject({
      until: start + 10 * DAY_MS,
      isLatest: true,
    })
    const single = { ...order, keys: [], units: 1, deliveredUnits: 1 }
    expect(claimWindow(single, none, start)).toMatchObject({ isLatest: false })
  })
})
