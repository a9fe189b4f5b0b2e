/** A date-time of the service in milliseconds, or null if it can't be parsed. */
export function instantOf(text: string | null | undefined): number | null {
  const at = text === null || text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : at
}
