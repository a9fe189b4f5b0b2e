import { createCipheriv, createDecipheriv } from 'node:crypto'
import { Transform } from 'node:stream'

/**
 * The stream can't be decrypted. `cut-off`: its end is missing. `modified`: a part was changed.
 * `unopened`: not even its first frame opens, so that the key may be wrong.
 */
export class SealedStreamError extends Error {
  readonly kind: 'cut-off' | 'modified' | 'unopened'

  constructor(kind: SealedStreamError['kind']) {
    super(kind)
    this.name = 'SealedStreamError'
    this.kind = kind
  }
}

/** Bytes of plaintext in one frame. */
const FRAME = 256 * 1024
const TAG = 16
const LENGTH = 4

/**
 * Each frame's nonce is its number, so that no frame can be removed or moved. The key is used for
 * one stream only. The associated data marks the last frame.
 */
function nonceAndData(
  number: number,
  last: boolean,
  head: string,
): { nonce: Buffer; data: Buffer } {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return { nonce, data: Buffer.from(`${last ? 'last' : 'more'}:${head}`, 'utf8') }
}

/**
 * Encrypts its input as AES-256-GCM frames: `length(4) ciphertext tag(16)`, with `head` as
 * associated data. A truncated stream lacks its last frame and can't be decrypted.
 *
 * @param key 32 bytes, never used for another stream
 */
export function encryptStream(key: Buffer, head: string): Transform {
  let number = 0
  let waiting = Buffer.alloc(0)
  const frame = (clear: Buffer, last: boolean): Buffer => {
    const { nonce, data } = nonceAndData(number++, last, head)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(data)
    const sealed = Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()])
    const length = Buffer.alloc(LENGTH)
    length.writeUInt32BE(sealed.length)
    return Buffer.concat([length, sealed])
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length > FRAME) {
        this.push(frame(waiting.subarray(0, FRAME), false))
        waiting = waiting.subarray(FRAME)
      }
      done()
    },
    flush(done) {
      this.push(frame(waiting, true))
      done()
    },
  })
}

/**
 * Decrypts the output of {@link encryptStream}. Fails with a {@link SealedStreamError} for another
 * key or head, and for a stream that was modified, truncated or extended.
 */
export function decryptStream(key: Buffer, head: string): Transform {
  let number = 0
  let waiting = Buffer.alloc(0)
  const openAs = (sealed: Buffer, last: boolean): Buffer => {
    const { nonce, data } = nonceAndData(number, last, head)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
    decipher.setAAD(data)
    decipher.setAuthTag(sealed.subarray(-TAG))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()])
  }
  const opens = (sealed: Buffer, last: boolean): boolean => {
    try {
      openAs(sealed, last)
      return true
    } catch {
      return false
    }
  }
  function open(sealed: Buffer, last: boolean): Buffer {
    try {
      const clear = openAs(sealed, last)
      number += 1
      return clear
    } catch {
      // An intact frame that isn't the last one ends the file: the rest is missing.
      if (last && opens(sealed, false)) throw new SealedStreamError('cut-off')
      throw new SealedStreamError(number === 0 ? 'unopened' : 'modified')
    }
  }
  /**
   * All complete frames except the last one in the buffer, which can be the final one: only the end
   * of the stream shows that.
   */
  function* frames(): Generator<Buffer> {
    while (waiting.length >= LENGTH) {
      const length = waiting.readUInt32BE(0)
      if (length < TAG || length > FRAME + TAG) throw new SealedStreamError('modified')
      if (waiting.length <= LENGTH + length) return
      yield waiting.subarray(LENGTH, LENGTH + length)
      waiting = waiting.subarray(LENGTH + length)
    }
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        waiting = Buffer.concat([waiting, chunk])
        for (const sealed of frames()) this.push(open(sealed, false))
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error('not opened'))
      }
    },
    flush(done) {
      try {
        if (waiting.length < LENGTH || waiting.length !== LENGTH + waiting.readUInt32BE(0))
          throw new SealedStreamError('cut-off')
        this.push(open(waiting.subarray(LENGTH), true))
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error('not opened'))
      }
    },
  })
}
