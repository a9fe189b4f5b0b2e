import { maskKey } from '../mask-key.ts'

/**
 * A delivered unit as it may stand on the screen: masked like any key, or what kind of picture it
 * is.
 */
export function maskValue(value: string, contentType: string): string {
  return contentType.startsWith('image/') ? `picture, ${pictureSize(value)}` : maskKey(value)
}

function pictureSize(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`
}
