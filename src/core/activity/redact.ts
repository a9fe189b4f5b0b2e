import type { Localized } from '../../contract/localization/localized.ts'

/** Anything that starts like one of the service's keys or secrets. */
const shapes = /(svc_test_|svc_live_|svcs_|whsec_)[A-Za-z0-9_-]+/g

export interface Redactor {
  /** Masks this exact text wherever it occurs from now on. */
  addSecret(secret: string): void
  /** Returns the text without any secret. */
  clean(text: string): string
  /** Returns the message without any secret in its values. */
  cleanMessage(message: Localized): Localized
}

/** Masks API keys and signing secrets by their shape, and every learned secret. */
export function createRedactor(): Redactor {
  const known = new Set<string>()
  function clean(text: string): string {
    let cleaned = text.replace(shapes, '$1••••')
    for (const secret of known) cleaned = cleaned.replaceAll(secret, '••••')
    return cleaned
  }
  return {
    addSecret(secret) {
      if (secret.length >= 6) known.add(secret)
    },
    clean,
    cleanMessage: ({ code, values }) => ({
      code,
      values: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'string' ? clean(value) : value,
        ]),
      ),
    }),
  }
}
