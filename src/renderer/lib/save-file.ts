import { blobOf } from './base64.ts'

/** Starts a download of a file in the browser or window. */
export const saveFile = (name: string, base64: string): void =>
  void blobOf(base64).then((content) => saveBlob(name, content))

/** A text file that arrives in parts, with the facts of its last part. */
export async function fileOf<Part extends { text: string }>(
  parts: AsyncIterable<Part>,
): Promise<{ facts: Omit<Part, 'text'>; content: Blob }> {
  const contents: Blob[] = []
  let last: Part | undefined
  for await (const part of parts) {
    // Encoded as it arrives: encoding all parts together would block the page.
    contents.push(new Blob([part.text]))
    last = part
  }
  if (last === undefined) throw new Error('a file without parts')
  return { facts: last, content: new Blob(contents, { type: 'application/octet-stream' }) }
}

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
