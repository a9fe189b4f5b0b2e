import { expect, test } from 'vitest'
import { api } from '../../lib/core/rpc.ts'
import { previousPage } from './use-partners.ts'

test('keeps the previous page of a partner’s list, and no page of another partner', () => {
  const { deliveries } = api.sandbox.money
  const page = (id: string, at: number) => ({
    queryKey: deliveries.queryKey({ input: { id, page: at, limit: 8 } }),
  })
  const keep = previousPage(deliveries.key({ input: { id: 'ptn_1' } }))
  expect(keep('rows', page('ptn_1', 1))).toBe('rows')
  expect(keep('rows', page('ptn_2', 1))).toBeUndefined()
  expect(keep(undefined, undefined)).toBeUndefined()
})
