import { z } from 'zod'

export const offerViews = ['all', 'not-cheapest', 'low-stock', 'empty', 'paused'] as const

/** Selects offers by view, search text, platforms and regions. */
export const offerFilterSchema = z.object({
  view: z.enum(offerViews).default('all'),
  query: z.string().max(200).default(''),
  platforms: z.array(z.string()).default([]),
  regions: z.array(z.string()).default([]),
})
export type OfferFilter = z.infer<typeof offerFilterSchema>
