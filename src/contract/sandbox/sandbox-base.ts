import { z } from 'zod'
import { centsSchema } from '../base.ts'

/**
 * A time as the sandbox reports it; the screen receives milliseconds. It follows the sandbox's
 * clock, which can be ahead of the computer's.
 */
export const reportedMoment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number().int())

/** A time chosen on the screen in milliseconds, in the sandbox's format. */
export const chosenMoment = z
  .number()
  .int()
  .transform((at) => new Date(at).toISOString())

/** An amount in cents, as typed by the user. */
export const amountSchema = centsSchema

export const idSchema = z.string().min(1).max(200)
export const idInput = z.object({ id: idSchema })

/** The page of a list. The first page is 1. */
export const pageShape = {
  page: z.number().int().min(1).default(1),
  limit: z.number().int().min(1).max(100).default(50),
}

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.number().int(), results: z.array(row) })
