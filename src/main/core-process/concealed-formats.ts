/**
 * The formats beside a text by which each system's clipboard managers recognize a secret: they
 * neither record nor synchronize it. They are conventions; a program can ignore them.
 */
export function concealedFormats(platform: NodeJS.Platform): Record<string, string> {
  const zero = '\0\0\0\0'
  if (platform === 'darwin') return { 'org.nspasteboard.ConcealedType': '' }
  if (platform === 'win32')
    return {
      ExcludeClipboardContentFromMonitorProcessing: zero,
      CanIncludeInClipboardHistory: zero,
      CanUploadToCloudClipboard: zero,
    }
  return { 'x-kde-passwordManagerHint': 'secret' }
}
