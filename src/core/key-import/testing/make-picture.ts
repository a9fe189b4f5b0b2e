/**
 * Pictures with valid headers only, because their content is never decoded. `bytes`: total length.
 */
export function makePng(width: number, height: number, bytes = 64, fill = 7): Buffer {
  const picture = Buffer.alloc(Math.max(bytes, 33), fill)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(picture)
  picture.write('IHDR', 12, 'latin1')
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  return picture
}

export function makeGif(width: number, height: number, fill = 7): Buffer {
  const picture = Buffer.alloc(40, fill)
  picture.write('GIF89a', 'latin1')
  picture.writeUInt16LE(width, 6)
  picture.writeUInt16LE(height, 8)
  return picture
}

/** With an application segment before its frame, like files from cameras and scanners. */
export function makeJpeg(width: number, height: number, fill = 7): Buffer {
  const segment = Buffer.alloc(36, fill)
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 32]).copy(segment)
  const frame = Buffer.alloc(40, fill)
  Buffer.from([0xff, 0xc0, 0, 17, 8]).copy(frame)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([segment, frame])
}
