/** Parses the value of a local date and time field to milliseconds; null when it is incomplete. */
export function parseLocalMoment(text: string): number | null {
  const at = new Date(text).getTime()
  return text === '' || Number.isNaN(at) ? null : at
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Formats a moment for a local date and time field, to the minute. */
export function formatLocalMoment(at: number): string {
  const date = new Date(at)
  return (
    `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}` +
    `T${two(date.getHours())}:${two(date.getMinutes())}`
  )
}
