import { z } from 'zod'
import { instantSchema, procedure } from '../base.ts'

export const sessionSchema = z.object({
  sessionId: z.string(),
  /** The browser, as it identifies itself: "Firefox on Linux". */
  browser: z.string(),
  openedAt: instantSchema,
  lastUsedAt: instantSchema,
  /** Whether a page is connected with it now. */
  connected: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>

/** Newest first; null in the app, whose window has no session. */
const listSchema = z.array(sessionSchema).nullable()

/** The sessions of browser tabs that can control this console. */
export const sessionsContract = {
  list: procedure.output(listSchema),
  /** Ends a session and disconnects its pages. Nothing happens if it has already ended. */
  end: procedure.input(z.object({ sessionId: z.string().max(64) })).output(listSchema),
}
