/** The pictures that the service returns: drawn on demand, with a cache of the latest ones. */
import type { CatalogueRepository } from './domain/ports/catalogue.ts'
import type { Pictures } from './http/pictures.ts'
import { drawCover } from './market/art/cover.ts'
import { coverPath, screenshotPath } from './market/art/drawing/paths.ts'
import { drawScreenshot } from './market/art/screenshot.ts'

const REMEMBERED = 500

/** The picture a path refers to: a product's cover, or its screenshot with that number. */
function pictureOf(path: string): { productId: string; no: number | null } | null {
  const [, kind, name = ''] = /^(covers|screenshots)\/(.+)\.png$/s.exec(path) ?? []
  if (kind === 'covers') return { productId: name, no: null }
  const [, productId, no] = /^(.+)-(\d{1,2})$/s.exec(name) ?? []
  return kind === undefined || productId === undefined ? null : { productId, no: Number(no) }
}

/**
 * Draws only pictures that products refer to, so that made-up paths can't keep the service busy
 * with drawing.
 */
export function createPictures(catalogue: Pick<CatalogueRepository, 'find'>): Pictures {
  const drawn = new Map<string, Uint8Array>()
  return (path) => {
    const wanted = pictureOf(path)
    const product = wanted === null ? undefined : catalogue.find(wanted.productId)
    if (wanted === null || product === undefined) return null
    const { no } = wanted
    const referred =
      no === null
        ? product.coverImage === coverPath(product.id)
        : product.screenshots.includes(screenshotPath(product.id, no))
    if (!referred) return null
    const subject = JSON.stringify([product.name, product.platform, product.productType, no])
    const picture =
      drawn.get(subject) ?? (no === null ? drawCover(product) : drawScreenshot(product, no))
    drawn.delete(subject)
    drawn.set(subject, picture)
    const oldest = drawn.keys().next()
    if (drawn.size > REMEMBERED && oldest.done !== true) drawn.delete(oldest.value)
    return picture
  }
}
