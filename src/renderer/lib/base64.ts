/** A chosen file, or a part of it, as base64. */
export const base64Of = async (file: Blob): Promise<string> =>
  new Uint8Array(await file.arrayBuffer()).toBase64()

/** Characters decoded in one turn, a multiple of four: a few milliseconds of work. */
const DECODED_AT_ONCE = 2 * 1024 * 1024

/** Decodes a base64 text. A long one is decoded in parts, because a single call blocks the page. */
export async function blobOf(base64: string): Promise<Blob> {
  const parts: BlobPart[] = []
  for (let from = 0; from < base64.length; from += DECODED_AT_ONCE) {
    if (base64.length > DECODED_AT_ONCE)
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
    parts.push(Uint8Array.fromBase64(base64.slice(from, from + DECODED_AT_ONCE)))
  }
  return new Blob(parts, { type: 'application/octet-stream' })
}
