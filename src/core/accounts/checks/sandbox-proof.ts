import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { PROOF_PATH, proofMessage, proofSchema } from '../../../../server/api/sandbox-proof.ts'
import type { SandboxProof } from '../../../../server/api/sandbox-proof.ts'
import { publishedKeyFile, publishedKeyOf } from '../../../../server/api/user-folders.ts'
import { isLoopbackHost } from '../../service-client/service-client.ts'

/**
 * The result of asking an address whether it is a sandbox.
 *
 * - `proven`: it signed the challenge. `countsRequests`: whether it enforces request rates.
 * - `refuted`: another computer, or a service that can't sign the challenge.
 * - `silent`: it didn't respond, so nothing is known.
 */
export type SandboxCheck =
  | { kind: 'proven'; countsRequests: boolean }
  | { kind: 'refuted' }
  | { kind: 'silent' }

/** Asks an address for the proof of a sandbox, within a time in milliseconds. */
export type ProveSandbox = (baseUrl: string, withinMs?: number) => Promise<SandboxCheck>

const REFUTED: SandboxCheck = { kind: 'refuted' }
const DEFAULT_TIMEOUT_MS = 2000
/** The start of the DER encoding of every Ed25519 public key (RFC 8410). */
const ED25519_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')
/** A proof has about 250 bytes; a longer response isn't one. */
const MAX_PROOF_BYTES = 4096

/** Whether a sandbox of this user has published the key (Decision 48). */
async function isPublished(folder: string, publicKey: string): Promise<boolean> {
  const file = publishedKeyFile(folder, publicKey)
  if (publishedKeyOf(basename(file)) !== publicKey) return false
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trim() === publicKey
}

function isSigned({ publicKey, signature }: SandboxProof, nonce: string): boolean {
  const raw = Buffer.from(publicKey, 'base64url')
  if (raw.length !== 32) return false
  const key = createPublicKey({
    key: Buffer.concat([ED25519_PUBLIC, raw]),
    format: 'der',
    type: 'spki',
  })
  const message = Buffer.from(proofMessage(nonce))
  return verify(null, message, key, Buffer.from(signature, 'base64url'))
}

/** The body of a response, or null when it is longer than a proof. */
async function shortText(answer: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > MAX_PROOF_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

const proofOf = (text: string): SandboxProof | null => {
  try {
    return proofSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * Detects a sandbox at a loopback address, which uses test money whatever its keys are called. It
 * must sign a fresh challenge with a key that is published in `keysFolder`: a tunnel to the real
 * service, or any other program, can't. Other computers are never asked.
 */
export function createSandboxProof(keysFolder: string): ProveSandbox {
  return async (baseUrl, withinMs = DEFAULT_TIMEOUT_MS) => {
    const { origin, hostname } = new URL(baseUrl)
    if (!isLoopbackHost(hostname)) return REFUTED
    const nonce = randomBytes(24).toString('base64url')
    let answer: Response
    let text: string | null
    try {
      answer = await fetch(`${origin}${PROOF_PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ nonce }),
        redirect: 'manual',
        signal: AbortSignal.timeout(withinMs),
      })
      text = await shortText(answer)
    } catch {
      return { kind: 'silent' }
    }
    const proof = answer.status === 200 && text !== null ? proofOf(text) : null
    if (
      proof === null ||
      !(await isPublished(keysFolder, proof.publicKey)) ||
      !isSigned(proof, nonce)
    )
      return REFUTED
    return { kind: 'proven', countsRequests: answer.headers.get('x-svc-rates') !== 'off' }
  }
}
