/**
 * The form in which names are compared without regard to case, in any script. By way of upper case,
 * so that letters it writes as two meet them (ß and SS), and with one sigma for both, since lower
 * case has another at the end of a word. What changes here wants a migration: the forms of names
 * are stored.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
