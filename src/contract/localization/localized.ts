import type { GetICUArgs } from '@schummar/icu-type-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { z } from 'zod'
import { messages } from './messages.ts'
import type { MessageCode } from './messages.ts'

/**
 * The stored form of a message, which the screen also receives: its code and its values, so that
 * its wording can change and be translated.
 */
export const localizedSchema = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Localized = z.infer<typeof localizedSchema>

type ValueTypes = {
  ICUNumberArgument: number
  ICUDateArgument: number
  ICUArgument: string | number
}

/** The values of a message. Instants are in milliseconds, money is in cents. */
export type ValuesOf<Code extends MessageCode> = GetICUArgs<(typeof messages)[Code], ValueTypes>

/** A message with the values that its text needs, which the compiler checks. */
export function localized<Code extends MessageCode>(
  code: Code,
  ...values: keyof ValuesOf<Code> extends never ? [] : [ValuesOf<Code>]
): Localized {
  return { code, values: { ...(values[0] as Localized['values'] | undefined) } }
}

const formats = new Map<string, IntlMessageFormat>()

/** The English text of a message; the code when this version doesn't know it. */
export function formatMessage({ code, values }: Localized): string {
  let format = formats.get(code)
  if (format === undefined) {
    const text: string | undefined = Object.hasOwn(messages, code)
      ? messages[code as MessageCode]
      : undefined
    if (text === undefined) return code
    format = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true })
    formats.set(code, format)
  }
  try {
    return String(format.format(values))
  } catch {
    // Stored by a version whose message had other values.
    return code
  }
}

/** The English text of a message that is only shown, such as a count on a screen. */
export const t = <Code extends MessageCode>(
  code: Code,
  ...values: keyof ValuesOf<Code> extends never ? [] : [ValuesOf<Code>]
): string => formatMessage(localized(code, ...values))

/** A message as text for a database column. */
export const storeMessage = (message: Localized): string => JSON.stringify(message)

/**
 * Reads a message from a database column. Text from before 0.2.0, which stored finished sentences,
 * becomes a message that shows it is.
 */
export function readMessage(stored: string): Localized {
  if (stored.startsWith('{"code":')) {
    try {
      return localizedSchema.parse(JSON.parse(stored))
    } catch {
      // A sentence that only looks like a message.
    }
  }
  return localized('text', { text: stored })
}
