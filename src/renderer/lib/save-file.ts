import { blobOf } from './base64.ts'

/** Starts a download of a file in the browser or window. */
export const saveFile = (name: string, base64: string): void =>
  void blobOf(base64).then((content) => saveBlob(name, content))

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
