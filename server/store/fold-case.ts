/** The form in which names are compared without regard to case, in any script. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
