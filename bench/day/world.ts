import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

export type WorldSizes = {
  products: number
  offers: number
  sales: number
  disputes: number
  /** Unsold keys of an offer. */
  keysPerOffer: number
}
export type WorldFigures = {
  products: number
  offers: number
  sales: number
  disputes: number
  orders: number
  seconds: number
  processorSeconds: number
}

export const largeShop: WorldSizes = {
  products: 100_000,
  offers: 20_000,
  sales: 65_000,
  disputes: 2000,
  keysPerOffer: 5,
}

/** The figures of a shop, in its folder. */
const figuresFile = (folder: string): string => path.join(folder, 'day.json')

/**
 * Writes a large shop and its partner into a folder of the sandbox, by the service's own rules, in
 * a separate process. A folder that already has one is left unchanged.
 */
export async function buildWorld(
  folder: string,
  sizes: WorldSizes,
  log: (text: string) => void,
): Promise<WorldFigures> {
  if (existsSync(figuresFile(folder)))
    return JSON.parse(readFileSync(figuresFile(folder), 'utf8')) as WorldFigures
  mkdirSync(folder, { recursive: true })
  const { stdout } = await promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, 'build-world.ts'),
    folder,
    JSON.stringify(sizes),
  ])
  writeFileSync(figuresFile(folder), stdout)
  log(`the shop: ${stdout}`)
  return JSON.parse(stdout) as WorldFigures
}
