/** The certificate of a webhook handler on this computer, on the dashboard interface. */
import { z } from 'zod'
import { closedList, listOf, orNull, resource } from '../schemas/resource.ts'

/** Whether an address is on this computer. The certificate sends forged events nowhere else. */
export const isOnThisComputer = (url: string): boolean =>
  /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/i.test(url)

const localAddress = z
  .string()
  .max(2000)
  .refine(
    isOnThisComputer,
    'must be an http address of this computer, because the certificate sends forged events',
  )

export const certificateRequest = z.object({
  /** Where the handler receives webhooks. */
  url: localAddress,
  /** Where it reports the units that it handed on. */
  probe: localAddress,
  schedules: z.int().min(1, 'must be above 0').max(10_000, 'must be 10000 at most').optional(),
  /** Repeats the same schedules. */
  seed: z.int().min(0).max(999_999_999).optional(),
  /** Runs this schedule only, as a failure shows it. */
  replay: z.string().max(2000).optional(),
})

const promise = resource({
  id: z.string(),
  title: z.string(),
  /** How many schedules put it to the test. */
  checked: z.int(),
  failed: z.int(),
})
const failure = resource({
  invariant: z.string(),
  title: z.string(),
  detail: z.string(),
  /** Number of the schedule in the seed, from 1. */
  schedule: z.int(),
  stepsBefore: z.int(),
  steps: listOf(z.string()),
  advice: z.string(),
  replay: z.string(),
})

/** A run of the certificate. */
export const certificate = resource({
  state: closedList(['none', 'waiting', 'running', 'shrinking', 'finished', 'failed', 'canceled']),
  url: z.string().nullable(),
  probe: z.string().nullable(),
  schedules: z.int(),
  seed: z.int().nullable(),
  /** The schedule of a run that repeats one failure; null if all schedules are run. */
  replay: z.string().nullable(),
  /** Schedules that were run, and those of them that failed. */
  done: z.int(),
  failed: z.int(),
  /** Why it couldn't run. */
  reason: z.string().nullable(),
  /** The environment variables of the handler, the same for each run of this service. */
  variables: orNull(
    resource({
      KEYDESK_BASE_URL: z.string(),
      KEYDESK_API_KEY: z.string(),
      KEYDESK_WEBHOOK_SECRET: z.string(),
    }),
  ),
  result: orNull(
    resource({
      certified: z.boolean(),
      schedules: z.int(),
      failed: z.int(),
      deliveries: z.int(),
      slowestMs: z.number(),
      seconds: z.number(),
      invariants: listOf(promise),
      failures: listOf(failure),
      /** The reports as files: JSON, and JUnit XML. */
      json: z.string(),
      junit: z.string(),
    }),
  ),
})
