/** Where a product's cover is served, relative to the service's address: 264 × 352 PNG. */
export const coverPath = (productId: string): string =>
  `/media/covers/${encodeURIComponent(productId)}.png`

/**
 * Where a product's picture number `no` (from 1) is served, relative to the service's address: 640
 * × 360 PNG.
 */
export const screenshotPath = (productId: string, no: number): string =>
  `/media/screenshots/${encodeURIComponent(productId)}-${no}.png`
