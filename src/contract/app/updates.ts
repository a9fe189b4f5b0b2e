import { z } from 'zod'
import { instantSchema, procedure } from '../base.ts'

/** Why an update was rejected. There is no way to use it anyway. */
const refusals = [
  // The manifest that the owner signed
  'not-a-manifest',
  'unknown-key',
  'wrong-signature',
  'other-product',
  'expired',
  'from-the-future',
  'replayed',
  'older-version',
  'below-floor',
  'floor-lowered',
  // The file
  'wrong-size',
  'wrong-file',
  'unsafe-folder',
  // The connection
  'not-encrypted',
  'redirected',
  'too-large',
  'cut-off',
] as const
export const refusalSchema = z.enum(refusals)
export type Refusal = z.infer<typeof refusalSchema>

/** Work that must finish before an update is applied. */
const busySchema = z.object({
  uploads: z.number().int(),
  changes: z.number().int(),
  orders: z.number().int(),
  /** The first job with a known total; null while there is none. */
  first: z
    .object({ title: z.string(), done: z.number().int(), total: z.number().int().min(1) })
    .nullable(),
  /** Milliseconds left for that job; null when unknown. */
  leftMs: z.number().int().nullable(),
})
export type Busy = z.infer<typeof busySchema>

const offerSchema = z.object({
  version: z.string(),
  releasedAt: instantSchema,
  /** One sentence per change, from the changelog. */
  changes: z.array(z.string()),
  bytes: z.number().int(),
})

/**
 * How a person installs a verified file.
 *
 * - `keep-running`: Keydesk may run meanwhile, and offers a restart afterwards
 * - `quit-first`: only while Keydesk doesn't run
 * - `drag-to-applications`: like `quit-first`; the command opens a window to drag Keydesk from
 */
const installCommandSchema = z.object({
  line: z.string(),
  steps: z.enum(['keep-running', 'quit-first', 'drag-to-applications']),
})
export type InstallCommand = z.infer<typeof installCommandSchema>

const stateSchema = z.object({
  /**
   * - `sources`: the host has no updates, such as one that runs from its sources
   * - `off`: no address for updates is configured; nothing is requested
   * - `current`: nothing newer is known
   * - `installed`: a newer version is installed, and a restart uses it
   */
  status: z.enum([
    'sources',
    'off',
    'current',
    'checking',
    'available',
    'downloading',
    'ready',
    'refused',
    'failed',
    'installed',
  ]),
  current: z.string(),
  checkedAt: instantSchema.nullable(),
  offer: offerSchema.nullable(),
  /** Bytes downloaded. */
  done: z.number().int(),
  refusal: refusalSchema.nullable(),
  /** The command that installs the verified file, where only a person can; otherwise null. */
  command: installCommandSchema.nullable(),
  busy: busySchema,
  /** A restart is scheduled for when the work has finished. */
  restartsWhenIdle: z.boolean(),
})
export type UpdateState = z.infer<typeof stateSchema>

/**
 * Updates of Keydesk. A manifest that the owner signed describes each one; a person decides whether
 * and when it is downloaded and applied.
 */
export const updatesContract = {
  state: procedure.output(stateSchema),
  /** Asks for the manifest now. */
  check: procedure.output(stateSchema),
  /** Downloads and verifies the offered version. `CONFLICT` if none is offered. */
  download: procedure.output(stateSchema),
  /**
   * Restarts with the new version, now or when the work in flight has finished. `CONFLICT` if there
   * is none, or for `now` while work is in flight.
   */
  restart: procedure.input(z.object({ when: z.enum(['now', 'idle']) })).output(stateSchema),
  /** Cancels a restart that waits for work. */
  cancelRestart: procedure.output(stateSchema),
}
