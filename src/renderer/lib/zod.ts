/*
 * The page's zod: electron.vite.config.ts replaces `zod` by this module. The content security policy
 * forbids code generated from strings. zod reads this setting when a schema is created, and would
 * otherwise try, which Chromium reports as a violation.
 */
import { config } from 'zod/v4'

config({ jitless: true })

export { default } from 'zod/v4'
export * from 'zod/v4'
