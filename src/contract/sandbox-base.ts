import { z } from 'zod'
import { cents } from '../../server/api/money.ts'
import { centsSchema } from './base.ts'

/**
 * A moment of the sandbox as it tells it; the screen gets milliseconds. It is of the sandbox's
 * clock, which may be ahead of the machine's.
 */
export const toldMoment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number().int())

/** A moment that the screen chose, in milliseconds, as the sandbox takes it. */
export const chosenMoment = z
  .number()
  .int()
  .transform((at) => new Date(at).toISOString())

/** An amount that a person typed, in cents. */
export const amountSchema = centsSchema.transform((amount) => cents(amount))

export const idSchema = z.string().min(1).max(200)
export const idInput = z.object({ id: idSchema })

/** Which page of a list, 1 the first. */
export const pageShape = {
  page: z.number().int().min(1).default(1),
  limit: z.number().int().min(1).max(100).default(50),
}

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.number().int(), results: z.array(row) })
