import { crc32, inflateSync } from 'node:zlib'

/** Decodes a PNG strictly: throws if a chunk, its checksum or the pixels' length is wrong. */
export const readPng = (
  png: Buffer,
): { width: number; height: number; channels: number; pixels: Uint8Array; chunks: string[] } => {
  if (png.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n')
    throw new Error('no PNG signature')
  const chunks: string[] = []
  const data: Buffer[] = []
  let header: Buffer = Buffer.alloc(0)
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (crc32(png.subarray(at + 4, at + 8 + length)) !== png.readUInt32BE(at + 8 + length))
      throw new Error(`${type} has a wrong checksum`)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') data.push(body)
    chunks.push(type)
    at += 12 + length
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = header[9] === 6 ? 4 : 3
  const rows = inflateSync(Buffer.concat(data))
  const rowBytes = width * channels
  if (header[8] !== 8 || rows.length !== (rowBytes + 1) * height)
    throw new Error("the pixels don't fill the picture")
  const pixels = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    if (rows[y * (rowBytes + 1)] !== 1) throw new Error('unexpected filter')
    for (let x = 0; x < rowBytes; x++)
      pixels[y * rowBytes + x] =
        (rows[y * (rowBytes + 1) + 1 + x] ?? 0) +
        (x < channels ? 0 : (pixels[y * rowBytes + x - channels] ?? 0))
  }
  return { width, height, channels, pixels, chunks }
}
