/** Starts a download of a file in the browser or window. */
export const saveFile = (name: string, base64: string): void =>
  saveBlob(
    name,
    // Decoding letter by letter would block the page for a second at 10 MB.
    new Blob([Uint8Array.fromBase64(base64)], { type: 'application/octet-stream' }),
  )

/** Downloads a blob, for files that could be too large for the page's memory. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/**
 * Downloads text as UTF-8 with a byte order mark, which spreadsheets need to detect the encoding.
 */
export const saveText = (name: string, text: string): void =>
  saveBlob(name, new Blob(['\uFEFF', text], { type: 'application/octet-stream' }))
