/**
 * Canonical JSON in the manner of RFC 8785: object members sorted by UTF-16 code units, no blanks,
 * numbers as ECMAScript prints them. Equal bodies give the same text, so an Idempotency-Key
 * compares values, not formatting (Decision 17).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
