import type { FaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import { inCents } from './truth.ts'

/**
 * Counts the offer prices that the service received and accepted; no two changes of a soak use the
 * same price.
 */
export function countReceivedPrices(proxy: FaultyProxy) {
  const told = new Map<string, number>()
  proxy.served = ({ method, path, sent, status }) => {
    if (method !== 'PATCH' || status !== 200) return
    const price = inCents((JSON.parse(sent) as { price?: number }).price ?? null)
    if (price !== null) told.set(`${path} ${price}`, (told.get(`${path} ${price}`) ?? 0) + 1)
  }
  return { twice: (): number => [...told.values()].reduce((sum, times) => sum + times - 1, 0) }
}
