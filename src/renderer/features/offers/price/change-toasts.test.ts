import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { statusToast } from './change-toasts.ts'

const pending = { state: 'waits', priceCents: null, status: 'paused', problem: null } as const
const after = (state: OfferRow['pending']) =>
  ({
    name: 'Ironwharf 3',
    platform: 'Steam',
    region: 'Global',
    deliveryType: 'key',
    stock: 8,
    status: state === null ? 'paused' : 'active',
    pending: state,
  }) as OfferRow

test('reports a pause as done only if the service has it', () => {
  expect(statusToast(after(null), 'paused').title).toBe('Ironwharf 3 paused')
  expect(statusToast(after(pending), 'paused')).toMatchObject({
    kind: 'waits',
    title: 'Ironwharf 3: pause queued',
    cause: 'offline',
  })
  expect(statusToast(after({ ...pending, lost: ['status'] }), 'paused')).toMatchObject({
    kind: 'waits',
    title: 'Ironwharf 3: pause not confirmed',
  })
})

test('reports every new status of an offer this way, on every page', () => {
  const folder = 'src/renderer'
  const changing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    .filter(({ text }) => /\boffers\s*\.change\b/.test(text) && /\bstatus\b/.test(text))
  expect(changing.length).toBeGreaterThan(1)
  expect(
    changing.filter(({ text }) => !/\bstatusToast\(/.test(text)).map(({ name }) => name),
  ).toEqual([])
})
