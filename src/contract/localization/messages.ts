import { activityMessages } from './en/activity.ts'

/**
 * Every stored message, by its code, in ICU MessageFormat. A code is permanent: data folders contain
 * it. To reword a message, change its text; for other values, add a code and keep the old one.
 */
export const messages = { ...activityMessages } as const

export type MessageCode = keyof typeof messages
