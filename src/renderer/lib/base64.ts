/** A chosen file as base64. */
export const base64Of = async (file: File): Promise<string> => new Uint8Array(await file.arrayBuffer()).toBase64()
