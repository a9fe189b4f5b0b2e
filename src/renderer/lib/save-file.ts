/** Hands a file to the browser's or window's own download. */
export const saveFile = (name: string, base64: string): void =>
  saveBlob(
    name,
    new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], {
      type: 'application/octet-stream',
    }),
  )

/** The same for what may be too large to lie in the page's memory. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The same for text, as UTF-8 with a byte order mark: spreadsheets read it right then. */
export const saveText = (name: string, text: string): void =>
  saveFile(
    name,
    btoa(
      Array.from(new TextEncoder().encode(`\uFEFF${text}`), (byte) =>
        String.fromCharCode(byte),
      ).join(''),
    ),
  )
