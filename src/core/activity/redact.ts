/** Anything that starts like one of the service's keys or secrets. */
const shapes = /(svc_test_|svc_live_|svcs_|whsec_)[A-Za-z0-9_-]+/g

export interface Redactor {
  /** Masks this exact text wherever it occurs from now on. */
  addSecret(secret: string): void
  /** Returns the text without any secret. */
  clean(text: string): string
}

/** Masks API keys and signing secrets by their shape, and every learned secret. */
export function createRedactor(): Redactor {
  const known = new Set<string>()
  return {
    addSecret(secret) {
      if (secret.length >= 6) known.add(secret)
    },
    clean(text) {
      let cleaned = text.replace(shapes, '$1••••')
      for (const secret of known) cleaned = cleaned.replaceAll(secret, '••••')
      return cleaned
    },
  }
}
