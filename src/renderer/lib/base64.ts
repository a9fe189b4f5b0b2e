/** A chosen file, or a part of it, as base64. */
export const base64Of = async (file: Blob): Promise<string> =>
  new Uint8Array(await file.arrayBuffer()).toBase64()
