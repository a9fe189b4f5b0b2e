/** Path of a product's cover, relative to the service's address: a PNG of 264 × 352 pixels. */
export const coverPath = (productId: string): string =>
  `/media/covers/${encodeURIComponent(productId)}.png`

/**
 * Path of a product's picture number `no` (from 1), relative to the service's address: a PNG of 640
 * × 360 pixels.
 */
export const screenshotPath = (productId: string, no: number): string =>
  `/media/screenshots/${encodeURIComponent(productId)}-${no}.png`
