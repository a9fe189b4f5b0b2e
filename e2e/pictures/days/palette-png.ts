import { crc32, deflateSync, inflateSync } from 'node:zlib'

const MOST_COLOURS = 256
/** The palette starts with the most frequent colours; the others are those farthest from them. */
const FREQUENT = 160

/** Reverses the filters of a PNG's rows (PNG specification, section 9). */
function unfiltered(rows: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const rowBytes = width * channels
  const pixels = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)]
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0)
      const up = y === 0 ? 0 : (pixels[at - rowBytes] ?? 0)
      const corner = x < channels || y === 0 ? 0 : (pixels[at - rowBytes - channels] ?? 0)
      const raw = rows[y * (rowBytes + 1) + 1 + x] ?? 0
      pixels[at] = raw + predicted(filter, left, up, corner)
    }
  }
  return pixels
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((near) => Math.abs(guess - near))
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner
}

/** The colours of a screenshot (8 bits per channel, not interlaced) as numbers, row by row. */
function coloursOf(png: Buffer): { width: number; height: number; colours: Uint32Array } {
  const data: Buffer[] = []
  let header: Buffer = Buffer.alloc(13)
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') data.push(body)
    at += 12 + length
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = header[9] === 6 ? 4 : 3
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width, height, channels)
  const colours = new Uint32Array(width * height)
  for (let at = 0; at < colours.length; at++) {
    const from = at * channels
    colours[at] =
      ((pixels[from] ?? 0) << 16) | ((pixels[from + 1] ?? 0) << 8) | (pixels[from + 2] ?? 0)
  }
  return { width, height, colours }
}

const distance = (a: number, b: number): number =>
  ((a >> 16) - (b >> 16)) ** 2 +
  (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 +
  ((a & 255) - (b & 255)) ** 2

/** At most 256 of the colours: frequent ones, and those that are far from all others. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const byCount = [...counts].sort(([a, many], [b, more]) => more - many || a - b)
  const palette = byCount.slice(0, FREQUENT).map(([colour]) => colour)
  const rest = byCount.slice(FREQUENT).map(([colour, count]) => ({
    colour,
    weight: Math.sqrt(count),
    far: Math.min(...palette.map((chosen) => distance(colour, chosen))),
  }))
  while (palette.length < MOST_COLOURS && rest.length > 0) {
    const next = rest.reduce((best, each) =>
      each.far * each.weight > best.far * best.weight ? each : best,
    )
    if (next.far === 0) break
    palette.push(next.colour)
    for (const each of rest) each.far = Math.min(each.far, distance(each.colour, next.colour))
  }
  return palette
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}

/** A screenshot with at most 256 colours, in about a third of its bytes. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = coloursOf(png)
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = paletteOf(counts)
  const places = new Map<number, number>()
  for (const colour of counts.keys()) {
    let best = 0
    for (const [place, chosen] of palette.entries())
      if (distance(colour, chosen) < distance(colour, palette[best] ?? 0)) best = place
    places.set(colour, best)
  }
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = places.get(colours[y * width + x] ?? 0) ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const table = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(table)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ])
}
