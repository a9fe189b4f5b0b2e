import { expect, test } from 'vitest'
import { endpoints } from '../../../../server/api/endpoints/endpoints.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { firstSteps, isDone } from './first-steps.ts'

const done = (role: 'seller' | 'partner', what: ReturnType<typeof localized>, outcome = 'ok') =>
  firstSteps[role]
    .filter(({ fits }) => fits({ what, outcome: outcome as 'ok' | 'failed' }))
    .map(({ id }) => id)
const request = (operation: keyof typeof endpoints) =>
  localized('activity.request', {
    method: endpoints[operation].method,
    path: endpoints[operation].path,
  })

test('recognizes each step by the requests and actions of this console', () => {
  expect(done('seller', request('uploadKeys'))).toEqual(['import'])
  expect(done('seller', request('changeOffer'))).toEqual(['price'])
  for (const operation of ['answerDispute', 'replaceKey', 'refundDispute'] as const)
    expect(done('seller', request(operation)), operation).toEqual(['dispute'])
  expect(done('partner', request('createOrder'))).toEqual(['order'])
  expect(done('partner', localized('orders.key-revealed'))).toEqual(['reveal'])
  expect(done('partner', localized('claims.filed'))).toEqual(['claim'])
})

test('a failed or a reading request is no step', () => {
  expect(done('partner', request('createOrder'), 'failed')).toEqual([])
  expect(done('partner', request('getOrder'))).toEqual([])
  expect(done('seller', request('listOffers'))).toEqual([])
})

test('a batch proves an import whose requests are missing from the activity', () => {
  const provenBy = (batches: number): string[] =>
    firstSteps.seller.filter((step) => isDone(step, [], { batches })).map(({ id }) => id)
  expect(provenBy(0)).toEqual([])
  expect(provenBy(1)).toEqual(['import'])
})
