import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { importsSchemas, keyRecords } from '../../key-import/key-import.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import { salesSchema } from '../../sales/sales.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { disputesSchemas } from '../disputes.ts'
import type { ActionJournal } from './action-journal.ts'
import { checkReplacementKey } from './replacement-key.ts'

test.each([
  ['refused', false],
  // It may be on the offer, so another customer could get it too.
  ['excluded', true],
] as const)(
  'checks a replacement key whose import result was %s (blocked: %s)',
  (fate, blocked) => {
    const folder = temporaryFolder()
    const mirrors = createMirrors(folder.path, [...importsSchemas, salesSchema, ...disputesSchemas])
    const db = mirrors.database('11111111-1111-4111-8111-111111111111')
    const key = 'CANAR-YREPL-ACED1'
    const fingerprint = createHash('sha256').update(key).digest()
    const place = { importNumber: 1, offer: 0, request: 0, file: 0, line: 1, at: 1 }
    keyRecords(db).settle({
      ...place,
      fingerprint: fingerprint.subarray(0, 16),
      product: 'p',
      fate,
    })
    const vault = { fingerprint: (hash: Buffer) => hash } as Parameters<
      typeof checkReplacementKey
    >[1]
    const journal = { sentFor: (): string[] => [] } as unknown as ActionJournal
    const product = { productId: 'p', platform: '', deliveryType: '' }
    expect(checkReplacementKey(db, vault, journal, key, product).blocked).toBe(blocked)
    mirrors.close()
    folder.remove()
  },
)
