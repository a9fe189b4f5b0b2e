import type { DeliveryType } from '../../api/schemas/enums.ts'
import type { Random } from '../ports/environment.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** `count` random characters without easily confused ones such as 0 and O. */
export function randomCode(random: Random, count: number): string {
  let code = ''
  for (const byte of random.bytes(count)) code += letters.charAt(byte & 31)
  return code
}

/** A generated unit of test mode. Every delivered test value starts with `TEST-` (Decision 6). */
export function testValue(deliveryType: DeliveryType, random: Random): string {
  const code = randomCode(random, 15)
  const grouped = `${code.slice(0, 5)}-${code.slice(5, 10)}-${code.slice(10)}`
  if (deliveryType === 'account')
    return `TEST-user-${code.slice(0, 8).toLowerCase()}:${code.slice(8)}`
  if (deliveryType === 'gift') return `TEST-https://gift.example/${code}`
  if (deliveryType === 'link') return `TEST-https://activate.example/${code}`
  return `TEST-${grouped}`
}
