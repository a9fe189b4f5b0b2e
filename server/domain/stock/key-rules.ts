import { hash } from 'node:crypto'
import { type FieldProblem, validationError } from '../../api/errors.ts'
import type { ContentType } from '../../api/schemas/enums.ts'

const MAX_CHARACTERS = 4096
const MAX_PICTURE_BYTES = 512 * 1024

/** A key that is valid as stock: its trimmed value and content type. */
export interface CheckedKey {
  value: string
  contentType: ContentType
}

type Judgement = ({ ok: true } & CheckedKey) | { ok: false; problem: string }

const magic: readonly { type: ContentType; first: Uint8Array }[] = [
  { type: 'image/png', first: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  { type: 'image/jpeg', first: Uint8Array.of(0xff, 0xd8, 0xff) },
  { type: 'image/gif', first: new TextEncoder().encode('GIF87a') },
  { type: 'image/gif', first: new TextEncoder().encode('GIF89a') },
]

/** The picture type of these bytes, recognized by the first ones. Null for unsupported types. */
export function pictureTypeOf(bytes: Uint8Array): ContentType | null {
  const known = magic.find(
    ({ first }) => Buffer.compare(bytes.subarray(0, first.length), first) === 0,
  )
  return known?.type ?? null
}

/**
 * Checks one uploaded key by Decision 28: trimmed text, or a picture as a data URI. No problem text
 * ever contains the key.
 */
export function checkKey(key: string): Judgement {
  const value = key.trim()
  if (value.startsWith('data:image/')) return checkPicture(value)
  if (value === '') return { ok: false, problem: 'must not be empty' }
  if (value.length > MAX_CHARACTERS && [...value].length > MAX_CHARACTERS) {
    return { ok: false, problem: `must have at most ${MAX_CHARACTERS} characters` }
  }
  if (/\p{Cc}/u.test(value)) return { ok: false, problem: 'must not have control characters' }
  if (!value.isWellFormed()) return { ok: false, problem: 'must be well-formed Unicode' }
  return { ok: true, value, contentType: 'text/plain' }
}

function checkPicture(value: string): Judgement {
  const match = /^data:(image\/(?:png|jpeg|gif));base64,/.exec(value)
  if (!match) return { ok: false, problem: 'must be a PNG, JPEG or GIF in base64' }
  const [start, type = ''] = match
  const text = value.slice(start.length)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return { ok: false, problem: 'must be canonical base64' }
  if (bytes.length > MAX_PICTURE_BYTES) return { ok: false, problem: 'must be at most 512 KiB' }
  const contentType = pictureTypeOf(bytes)
  if (contentType !== type) return { ok: false, problem: `must be what it says, ${type}` }
  return { ok: true, value, contentType }
}

/**
 * Checks all keys of a request. Throws VALIDATION_ERROR that names each invalid key by its index;
 * one invalid key rejects the complete request.
 */
export function checkKeys(keys: readonly string[]): CheckedKey[] {
  const good: CheckedKey[] = []
  const problems: FieldProblem[] = []
  for (const [index, key] of keys.entries()) {
    const checked = checkKey(key)
    if (checked.ok) good.push({ value: checked.value, contentType: checked.contentType })
    else problems.push({ field: `keys[${index}]`, message: checked.problem })
  }
  if (problems.length > 0) throw validationError(...problems)
  return good
}

/** The problem of one key, if it has any. */
export function keyProblems(field: string, key: string | null | undefined): FieldProblem[] {
  if (key == null) return []
  const checked = checkKey(key)
  return checked.ok ? [] : [{ field, message: checked.problem }]
}

/** Checks one key. Throws VALIDATION_ERROR that names `field`. */
export function checkedKey(key: string, field: string): CheckedKey {
  const checked = checkKey(key)
  if (!checked.ok) throw validationError({ field, message: checked.problem })
  return { value: checked.value, contentType: checked.contentType }
}

/**
 * Identifies a value within a product, to detect duplicates: the first 16 bytes of SHA-256 over
 * both.
 */
export function fingerprint(productId: string, value: string): Uint8Array {
  return hash('sha256', `${productId}\n${value}`, 'buffer').subarray(0, 16)
}

/** SHA-256 of the trimmed key as uploaded, by which a seller recognizes it (Decision 30). */
export function keySha256(value: string): Uint8Array {
  return hash('sha256', value, 'buffer')
}

/** A unit's value as the buyer gets it: pictures without the header of their data URI. */
export function deliveredValue(value: string, contentType: ContentType): string {
  return contentType === 'text/plain' ? value : value.slice(value.indexOf(',') + 1)
}
