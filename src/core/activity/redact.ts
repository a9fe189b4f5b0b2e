/** Anything that begins like one of the service's keys or secrets. */
const shapes = /(svc_test_|svc_live_|svcs_|whsec_)[A-Za-z0-9_-]+/g

export interface Redactor {
  /** From now on this very text is masked wherever it stands. */
  learn(secret: string): void
  /** The text without any secret. */
  clean(text: string): string
}

/** Masks API keys and signing secrets by their shape, and every secret it was told. */
export function createRedactor(): Redactor {
  const known = new Set<string>()
  return {
    learn(secret) {
      if (secret.length >= 6) known.add(secret)
    },
    clean(text) {
      let cleaned = text.replace(shapes, '$1••••')
      for (const secret of known) cleaned = cleaned.replaceAll(secret, '••••')
      return cleaned
    },
  }
}
