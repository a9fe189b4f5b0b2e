/**
 * Folds a name for case-insensitive comparison in any script. The detour over upper case makes
 * letters match their two-letter upper case (ß and SS). Both lower-case sigmas become one, because
 * a final sigma has its own form. A change here needs a migration, because folded names are stored.
 */
export function foldCase(text: string): string {
  // Latin letters and the dashes of titles have no other form.
  if (/^[ -~–]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
