/** A date-time of the service in milliseconds; null for one that can't be read. */
export function instantOf(text: string | null | undefined): number | null {
  const at = text === null || text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : at
}
