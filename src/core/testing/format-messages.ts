import { formatMessage, localizedSchema } from '../../contract/localization/localized.ts'

/** A copy in which every message is its text, so that a test can compare what a person reads. */
export function formatMessages(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(formatMessages)
  const message = localizedSchema.safeParse(value)
  if (message.success) return formatMessage(message.data)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, formatMessages(part)]),
  )
}
