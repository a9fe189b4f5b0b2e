/** The repairs of each kind of refusal. */
import type { Attempt } from '../attempt.ts'
import { accessRepairs } from './access.ts'
import { repairFields } from './fields.ts'
import { orderRepairs } from './orders.ts'
import type { Refused, Repair } from './repair.ts'
import { resourceRepairs } from './resources.ts'
import { stateRepairs } from './states.ts'

const byCode: Readonly<Record<string, Repair>> = {
  ...accessRepairs,
  ...orderRepairs,
  ...stateRepairs,
  VALIDATION_ERROR: repairFields,
}

/** Changed attempts that may pass, the nearest first. */
export async function repairs(refused: Refused): Promise<Attempt[]> {
  const { at, refusal } = refused
  if (refusal.code !== 'NOT_FOUND') return (await byCode[refusal.code]?.(refused)) ?? []
  if (at === null) return (await byCode['UNKNOWN_ROUTE']?.(refused)) ?? []
  return (await resourceRepairs[refusal.message]?.(refused)) ?? []
}
