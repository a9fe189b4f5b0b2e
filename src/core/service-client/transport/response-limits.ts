import type { OperationId } from '../../../../server/api/handlers.ts'

const MIB = 1024 * 1024
/** A page of 100 records has about 140 KB. */
const PAGE_BYTES = 8 * MIB
/** Delivered units and screenshots can be pictures of a megabyte each. */
const PICTURES_BYTES = 128 * MIB

const withPictures: ReadonlySet<OperationId> = new Set([
  'getOrderKeys',
  'withdrawKeys',
  'getDispute',
  'replaceKey',
])

/** The largest response that an operation can have, in bytes after decompression. */
export const maxBytesOf = (operation: OperationId): number =>
  withPictures.has(operation) ? PICTURES_BYTES : PAGE_BYTES
