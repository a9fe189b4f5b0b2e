/**
 * The formats beside a text by which each system's clipboard managers recognize a secret: they
 * neither record nor synchronize it. They are conventions; a program can ignore them.
 */
export function concealedFormats(platform: NodeJS.Platform): Record<string, string> {
  const zero = '\0\0\0\0'
  if (platform === 'darwin') return { 'org.nspasteboard.ConcealedType': 'concealed' }
  if (platform === 'win32')
    return {
      ExcludeClipboardContentFromMonitorProcessing: zero,
      CanIncludeInClipboardHistory: zero,
      CanUploadToCloudClipboard: zero,
    }
  return { 'x-kde-passwordManagerHint': 'secret' }
}

type Formats = Record<string, string>
type Writer = { write(formats: Formats): Promise<void>; writeText(text: string): Promise<void> }

/**
 * Writes a secret with its marks. A clipboard that rejects them gets the text alone: a key that
 * can't be copied helps no one.
 */
export async function writeConcealed(
  clipboard: Writer,
  text: string,
  platform: NodeJS.Platform,
): Promise<void> {
  const marks = Object.entries(concealedFormats(platform)).map(([name, value]) => [
    `electron application/osclipboard;format="${name}"`,
    value,
  ])
  const formats: Formats = { 'text/plain': text, ...Object.fromEntries(marks) }
  await clipboard.write(formats).catch(() => clipboard.writeText(text))
}
