import { maskKey } from '../../mask-key.ts'

/** A delivered unit as it can be shown on screen: masked like any key, or the type of a picture. */
export function maskValue(value: string, contentType: string): string {
  return contentType.startsWith('image/') ? `picture, ${pictureSize(value)}` : maskKey(value)
}

function pictureSize(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`
}
