/**
 * The largest picture that Keydesk draws, in pixels according to its header. A small file can
 * decompress to more than a window can hold.
 */
const MAX_PIXELS = 40_000_000

/** Why a picture can't be drawn; null when its header shows no problem. */
export type PictureProblem = 'broken' | 'too-large'
export function pictureProblem(type: string, bytes: Buffer): PictureProblem | null {
  const size = pictureSize(type, bytes)
  if (size === null || size.width === 0 || size.height === 0) return 'broken'
  return size.width * size.height > MAX_PIXELS ? 'too-large' : null
}

/**
 * Width and height from a picture's header, in pixels; null when it has none. Only the header is
 * parsed.
 */
export function pictureSize(type: string, bytes: Buffer): { width: number; height: number } | null {
  switch (type) {
    // PNG (ISO/IEC 15948), IHDR; GIF89a, logical screen descriptor.
    case 'image/png':
      return bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR'
        ? null
        : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    case 'image/gif':
      return bytes.length < 10
        ? null
        : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    case 'image/jpeg':
      return jpegSize(bytes)
    default:
      return null
  }
}

/** The first frame header (ITU T.81, section B.2.2). */
function jpegSize(bytes: Buffer): { width: number; height: number } | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return null
    at += 2 + length
  }
  return null
}
