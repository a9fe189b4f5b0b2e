import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}

/**
 * Differences to the pixel on the left (PNG filter 1): zero along the rows of a vertical gradient.
 */
const filtered = (
  pixels: Uint8Array,
  rowBytes: number,
  height: number,
  channels: number,
): Uint8Array => {
  const out = new Uint8Array((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) {
    const to = y * (rowBytes + 1) + 1
    const from = y * rowBytes
    out[to - 1] = 1
    for (let x = 0; x < channels; x++) out[to + x] = pixels[from + x] ?? 0
    for (let x = channels; x < rowBytes; x++)
      out[to + x] = (pixels[from + x] ?? 0) - (pixels[from + x - channels] ?? 0)
  }
  return out
}

/**
 * A PNG with 8 bits per channel. `pixels` holds the rows from the top, with 3 bytes (red, green,
 * blue) or 4 bytes (with alpha, not premultiplied) per pixel, depending on its length. Throws
 * RangeError if the length fits neither.
 */
export const encodePng = (pixels: Uint8Array, width: number, height: number): Buffer => {
  const channels = pixels.length / (width * height)
  if (channels !== 3 && channels !== 4)
    throw new RangeError(`${pixels.length} bytes don't make a picture of ${width} × ${height}`)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8)
  const data = deflateSync(filtered(pixels, width * channels, height, channels), { level: 6 })
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array(0)),
  ])
}
