import { isAscii, isUtf8 } from 'node:buffer'
import type { TextEncodingName } from './line-splitter.ts'

export type FoundEncoding = {
  encoding: TextEncodingName
  /** Length of the byte order mark in bytes. */ mark: number
}

/** The encoding announced by a byte order mark; null without one. */
export function markOf(start: Buffer): FoundEncoding | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf)
    return { encoding: 'utf-8', mark: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', mark: 2 }
  return null
}

/**
 * Recognizes UTF-16 without a byte order mark by its zeros, which are nearly all on one side of
 * each pair. Null for anything else.
 */
function byZeros(start: Buffer): TextEncodingName | null {
  const pairs = Math.min(start.length >> 1, 32_768)
  let even = 0
  let odd = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (start[at] === 0) even++
    if (start[at + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be'
  return null
}

/**
 * Detects the encoding of a file from all its chunks: by the byte order mark or the pattern of
 * zeros, otherwise UTF-8, unless most non-ASCII bytes are invalid UTF-8, which means Windows-1252.
 */
export function createEncodingProbe(): {
  push(chunk: Buffer): void
  found(): FoundEncoding
  /** Whether all bytes so far are ASCII. */ ascii(): boolean
} {
  const decoder = new TextDecoder('utf-8')
  let first: FoundEncoding | null = null
  let started = false
  let valid = 0
  let broken = 0
  let open = false
  let ascii = true
  return {
    push(chunk) {
      if (!started && chunk.length > 0) {
        started = true
        const zeros = byZeros(chunk)
        first = markOf(chunk) ?? (zeros === null ? null : { encoding: zeros, mark: 0 })
      }
      if (first !== null || (!open && isAscii(chunk))) {
        ascii &&= first === null
        return
      }
      ascii = false
      const text = decoder.decode(chunk, { stream: true })
      // A character cut off at the end of a chunk is decoded with the next one.
      open = !isUtf8(chunk)
      broken += text.match(/\ufffd/g)?.length ?? 0
      valid += text.match(/(?!\ufffd)[\u0080-\uffff]/g)?.length ?? 0
    },
    ascii: () => ascii,
    found: () => first ?? { encoding: broken > valid ? 'windows-1252' : 'utf-8', mark: 0 },
  }
}

const windows1252 = new TextDecoder('windows-1252')

/** The text of one line; null if its bytes are invalid in this encoding. */
export function decodeLine(
  bytes: Buffer,
  start: number,
  end: number,
  encoding: TextEncodingName,
): string | null {
  if (encoding === 'utf-8') {
    const text = bytes.toString('utf8', start, end)
    return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? null : text
  }
  if (encoding === 'windows-1252') return windows1252.decode(bytes.subarray(start, end))
  if ((end - start) % 2 === 1) return null
  const text =
    encoding === 'utf-16le'
      ? bytes.toString('utf16le', start, end)
      : Buffer.from(bytes.subarray(start, end)).swap16().toString('utf16le')
  return text.isWellFormed() ? text : null
}
