import { closeSync, openSync } from 'node:fs'
import { readFrame, scanFrames, valueLength } from './frames.ts'
import type { Frame, FrameKey } from './frames.ts'

/**
 * Random access to a spooled file, for formats with a directory at the end and for consecutive
 * pictures.
 */
export interface SpoolReader {
  /** Bytes of the complete file. */
  readonly size: number
  /** Reads bytes from `offset` on; fewer if the file ends earlier. */
  read(offset: number, length: number): Buffer
  close(): void
}

/** Opens a spooled file. Holds one decrypted frame (at most 1 MiB) at a time. */
export function openSpool(path: string, key: FrameKey): SpoolReader {
  const file = openSync(path, 'r')
  const places: { frame: Frame; begins: number; length: number }[] = []
  let size = 0
  for (const frame of scanFrames(file).frames) {
    places.push({ frame, begins: size, length: valueLength(frame) })
    size += valueLength(frame)
  }
  let held: { index: number; value: Buffer } | null = null
  const valueOf = (index: number, frame: Frame): Buffer => {
    if (held?.index !== index) held = { index, value: readFrame(file, key, frame) }
    return held.value
  }
  /** The last position that starts at or before `offset`. */
  function placeOf(offset: number): number {
    let low = 0
    let high = places.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((places[middle]?.begins ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    size,
    read(offset, length) {
      const end = Math.min(size, offset + length)
      const parts: Buffer[] = []
      let from = offset
      for (let index = placeOf(offset); from < end; index++) {
        const place = places[index]
        if (place === undefined) break
        if (place.length === 0) continue
        const part = valueOf(index, place.frame).subarray(
          from - place.begins,
          Math.min(place.length, end - place.begins),
        )
        parts.push(part)
        from += part.length
      }
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    },
    close: () => closeSync(file),
  }
}
